import { type Problem, problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import { type AuditEntry, lostEntries } from './audit/audit.ts';
import type { ActivityBatch } from './contract.ts';
import { bareBatch } from './record-batch.ts';

export interface PendingBatchesOptions {
  readonly clock: Clock;
  /** Reports what is missing from the audit log since the hub started, each time it becomes more. */
  readonly report: (problem: Problem) => void;
}

/**
 * Batches that no worker has taken yet. Calls are never delayed: if a worker cannot keep up, the bodies are
 * dropped first, oldest first, and only then whole batches. Both are reported.
 */
export class PendingBatches {
  readonly #options: PendingBatchesOptions;
  #batches: ActivityBatch[] = [];
  /** Audit entries that were lost and whose loss is not in the audit log yet. */
  #lost = 0;
  #totalLost = 0;
  /** Audited calls whose bodies were dropped. */
  #partial = 0;

  constructor(options: PendingBatchesOptions) {
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0;
  }

  /**
   * Tells whether the batches justify starting a worker, which takes time and memory; a few calls wait for others.
   */
  get shouldStartWorker(): boolean {
    const calls = this.#batches.reduce((sum, { count }) => sum + count, 0);
    return calls >= workerMinCalls || this.#batches.some(({ audited }) => audited > 0);
  }

  /** Tells whether there is too much to wait for more. */
  get areLarge(): boolean {
    return this.#size > manyBytes;
  }

  add(batch: ActivityBatch): void {
    this.#batches.push(batch);
    this.#makeRoom();
  }

  /**
   * Returns the oldest batch, with a note of what was lost before it: the audit log has to say that something
   * is missing.
   */
  next(): ActivityBatch | undefined {
    const batch = this.#batches.shift();
    const lossNote = batch && this.takeLost();
    if (batch === undefined || lossNote === undefined) return batch;
    return { ...batch, notes: [lossNote, ...batch.notes], audited: batch.audited + 1 };
  }

  /** Counts audit entries that were lost because the worker had not stored them. */
  addLost(audited: number): void {
    this.#lost += audited;
    this.#totalLost += audited;
    this.#reportMissing();
  }

  /** Returns the note of losses that is not in the audit log yet. */
  takeLost(): AuditEntry | undefined {
    if (this.#lost === 0) return undefined;
    const lossNote = lostEntries(this.#lost, this.#options.clock.now());
    this.#lost = 0;
    return lossNote;
  }

  get #size(): number {
    return this.#batches.reduce((sum, { size }) => sum + size, 0);
  }

  #makeRoom(): void {
    let size = this.#size;
    for (let at = 0; size > maxPendingBytes && at < this.#batches.length; at += 1) {
      const batch = this.#batches[at];
      if (batch === undefined || batch.isPartial) continue;
      const bare = bareBatch(batch);
      this.#batches[at] = bare;
      size -= batch.size - bare.size;
      this.#partial += batch.audited - batch.notes.length;
    }
    while (size > maxPendingBytes) {
      const batch = this.#batches.shift();
      if (batch === undefined) break;
      size -= batch.size;
      this.addLost(batch.audited);
    }
    this.#reportMissing();
  }

  #reportMissing(): void {
    const [lost, partial] = [this.#totalLost, this.#partial];
    if (lost + partial > 0) this.#options.report(incomplete(lost, partial));
  }
}

/** Bytes. */
const maxPendingBytes = 8 * 1024 * 1024;
const workerMinCalls = 10;
const manyBytes = 2 * 1024 * 1024;

function incomplete(lost: number, partial: number): Problem {
  const sentence =
    'Calls came in faster than they could be recorded. Some calls, or their contents, are missing from the audit log.';
  const fix =
    'Rows marked lost or partial show where. Reduce the load on this computer, or make fewer calls at once.';
  return problem('hub.audit_incomplete', sentence, fix, {
    'entries lost': lost,
    'calls without contents': partial,
  });
}
