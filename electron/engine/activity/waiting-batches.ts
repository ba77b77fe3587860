import { type Problem, problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import { type AuditEntry, lostEntries } from '../store/state/audit/audit.ts';
import { type Batch, sizeOf } from './desk-handle.ts';

export interface WaitingBatchesOptions {
  readonly clock: Clock;
  /** What is missing from the audit log since the hub started, when that has become more. */
  readonly report: (problem: Problem) => void;
}

/**
 * What was recorded and has no desk yet. Calls are not held up: where there is more than a desk keeps up with, it loses what
 * was carried first, the oldest first, and only then is lost altogether. Either is told.
 */
export class WaitingBatches {
  readonly #options: WaitingBatchesOptions;
  #batches: Batch[] = [];
  /** Of the audit log, and not yet told there. */
  #lost = 0;
  #lostInAll = 0;
  /** Calls of the audit log whose bodies were given up. */
  #partial = 0;

  constructor(options: WaitingBatchesOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0;
  }

  /** A thread takes time and memory to begin with, so a few calls wait for others. */
  get areWorthAThread(): boolean {
    const calls = this.#batches.reduce((sum, { count }) => sum + count, 0);
    return calls >= manyCalls || this.#batches.some(({ audited }) => audited > 0);
  }

  /** So much that it should not wait for more. */
  get areMany(): boolean {
    return this.#size > manyBytes;
  }

  add(batch: Batch): void {
    this.#batches.push(batch);
    this.#makeRoom();
  }

  /** The oldest, with word of what was lost before it: that something is missing from the audit log has to stand in it. */
  next(): Batch | undefined {
    const batch = this.#batches.shift();
    const lost = batch && this.takeLost();
    if (batch === undefined || lost === undefined) return batch;
    return { ...batch, notes: [lost, ...batch.notes], audited: batch.audited + 1 };
  }

  /** So many entries of the audit log are lost; what took them over had not kept them. */
  lose(audited: number): void {
    this.#lost += audited;
    this.#lostInAll += audited;
    this.#tellMissing();
  }

  /** What the audit log is still to be told of it. */
  takeLost(): AuditEntry | undefined {
    if (this.#lost === 0) return undefined;
    const lost = lostEntries(this.#lost, this.#options.clock.now());
    this.#lost = 0;
    return lost;
  }

  get #size(): number {
    return this.#batches.reduce((sum, batch) => sum + sizeOf(batch), 0);
  }

  #makeRoom(): void {
    let size = this.#size;
    for (let at = 0; size > mostWaiting && at < this.#batches.length; at += 1) {
      const batch = this.#batches[at];
      if (batch === undefined || batch.isPartial) continue;
      const bare: Batch = { ...batch, bodies: new Uint8Array(0), isPartial: true };
      this.#batches[at] = bare;
      size -= sizeOf(batch) - sizeOf(bare);
      this.#partial += batch.audited - batch.notes.length;
    }
    while (size > mostWaiting) {
      const batch = this.#batches.shift();
      if (batch === undefined) break;
      size -= sizeOf(batch);
      this.lose(batch.audited);
    }
    this.#tellMissing();
  }

  #tellMissing(): void {
    const [lost, partial] = [this.#lostInAll, this.#partial];
    if (lost + partial > 0) this.#options.report(incomplete(lost, partial));
  }
}

/** Bytes. */
const mostWaiting = 8 * 1024 * 1024;
const manyCalls = 10;
const manyBytes = 2 * 1024 * 1024;

function incomplete(lost: number, partial: number): Problem {
  const sentence =
    'Calls came in faster than they could be recorded. The audit log is missing some calls or their contents.';
  const fix =
    'Rows marked lost or partial show where. Reduce the load on this computer, or send fewer calls at once.';
  return problem('hub.audit_incomplete', sentence, fix, {
    'entries lost': lost,
    'calls without what they carried': partial,
  });
}
