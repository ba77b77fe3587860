import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type { ActivityAdded } from '../../../shared/model/activity.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import type { ActivityBounds } from '../store/state/activity.ts';
import { type AuditBounds, type AuditEntry, lostEntries } from '../store/state/audit/audit.ts';
import { AuditJournal, journalEntries } from './audit-journal.ts';
import type { DeskAnswers, DeskQuestion, StartDesk } from './contract.ts';
import { type Batch, DeskHandle, notKept, sizeOf } from './desk-handle.ts';

export interface KeeperOptions {
  readonly start: StartDesk;
  readonly file: string;
  readonly bounds: ActivityBounds;
  readonly audit: {
    readonly file: string;
    readonly journal: string;
    /** As they are now. */
    readonly bounds: () => AuditBounds;
  };
  readonly clock: Clock;
  /** Everything that must not be kept, now. */
  readonly secrets: () => readonly string[];
  readonly report: (about: string, problem: Problem | undefined) => void;
}

type State =
  | { readonly kind: 'resting' }
  | { readonly kind: 'working'; readonly desk: DeskHandle }
  | { readonly kind: 'ending'; readonly done: Promise<void> }
  /** It went by itself, and is to be left alone for a while. */
  | { readonly kind: 'broken'; readonly until: number }
  | { readonly kind: 'closed' };

/**
 * Has what was recorded kept by a desk in a thread of its own, which is there only while there is something to do. What
 * becomes of it harms nobody: what cannot be handed over waits, within bounds; see {@link Keeper.#makeRoom}.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #added = new Emitter<ActivityAdded>();
  #state: State = { kind: 'resting' };
  #waiting: Batch[] = [];
  #breaks = 0;
  #begin: Disposable | undefined;
  #rest: Disposable | undefined;
  #usedAt = 0;
  #retry: Disposable | undefined;
  readonly #journal: AuditJournal;
  /** Of the audit log, and not yet told there. */
  #lost = 0;
  #lostInAll = 0;
  /** Calls of the audit log whose bodies were given up. */
  #partial = 0;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#journal = new AuditJournal(options.audit.journal, (error) =>
      options.report('audit journal', notWritten(options.audit.journal, error)),
    );
  }

  add(batch: Batch): void {
    if (this.#state.kind === 'closed') return;
    const left = this.#journaled(batch);
    if (left === undefined) return;
    this.#waiting.push(left);
    this.#makeRoom();
    if (this.#state.kind !== 'resting' || this.#isWorthIt) this.#handOver();
    else this.#begin ??= this.#options.clock.after(beginMs, () => this.#handOver());
  }

  /** Rejects with ProblemError. */
  async ask<K extends DeskQuestion['kind']>(
    question: Extract<DeskQuestion, { readonly kind: K }>,
  ): Promise<DeskAnswers[K]> {
    if (this.#state.kind === 'ending') await this.#state.done;
    if (this.#state.kind === 'broken') this.#state = { kind: 'resting' };
    // What was recorded before is found.
    this.#handOver();
    const desk = this.#desk();
    if (desk === undefined) throw new ProblemError(notKept('it cannot be started'));
    return desk.ask(question);
  }

  readonly onAdded = (listener: (added: ActivityAdded) => void): Disposable => {
    const heard = this.#added.event(listener);
    this.#tellWatched();
    if (this.#waiting.length > 0) this.#handOver();
    return {
      dispose: () => {
        heard.dispose();
        this.#tellWatched();
      },
    };
  };

  get isWatched(): boolean {
    return this.#added.hasListeners;
  }

  secretsChanged(): void {
    if (this.#state.kind === 'working')
      this.#state.desk.tell({ kind: 'secrets', secrets: this.#options.secrets() });
  }

  /** Everything that was handed over is in the file when it resolves, or has been given up. */
  async close(): Promise<void> {
    if (this.#state.kind === 'ending') await this.#state.done;
    const desk = this.#waiting.length > 0 ? this.#desk() : this.#runningDesk;
    for (const batch of this.#waiting.splice(0)) desk?.take(this.#withLost(batch));
    // The next hub tells it.
    if (this.#lost > 0) this.#journal.append([this.#takeLost()]);
    this.#state = { kind: 'closed' };
    for (const timer of [this.#begin, this.#rest, this.#retry]) timer?.dispose();
    await desk?.end(this.#options.clock);
    if (desk?.isDone === true) this.#journal.clearPending();
    this.#added.dispose();
  }

  get #runningDesk(): DeskHandle | undefined {
    return this.#state.kind === 'working' ? this.#state.desk : undefined;
  }

  /** Written down as far as no desk will have it in a moment; what is left of the batch for a desk. */
  #journaled(batch: Batch): Batch | undefined {
    const desk = this.#runningDesk;
    if (batch.audited === 0 || desk?.hasBegun === true) return batch;
    // Notes alone start no thread.
    const isNotes = batch.notes.length === batch.audited && batch.count === 0;
    if (desk === undefined && isNotes) {
      this.#journal.append(batch.notes);
      return batch.heads === noHeads ? undefined : { ...batch, notes: [], audited: 0 };
    }
    this.#journal.appendPending(journalEntries(batch));
    return batch;
  }

  /** A thread takes time and memory to begin with, so a few calls wait for others. */
  get #isWorthIt(): boolean {
    const calls = this.#waiting.reduce((sum, { count }) => sum + count, 0);
    const isAudited = this.#waiting.some(({ audited }) => audited > 0);
    return isAudited || this.isWatched || calls >= manyCalls || this.#waitingBytes > manyBytes;
  }

  get #waitingBytes(): number {
    return this.#waiting.reduce((sum, batch) => sum + sizeOf(batch), 0);
  }

  #handOver(): void {
    this.#begin?.dispose();
    this.#begin = undefined;
    const desk = this.#desk();
    if (desk === undefined) return;
    this.#restLater();
    while (desk.hasRoom) {
      const batch = this.#waiting.shift();
      if (batch === undefined) return;
      desk.take(this.#withLost(batch));
    }
  }

  /** Started if need be; undefined where that cannot be now. */
  #desk(): DeskHandle | undefined {
    const state = this.#state;
    if (state.kind === 'working') return state.desk;
    const isBroken = state.kind === 'broken' && state.until > this.#options.clock.now();
    return state.kind === 'closed' || state.kind === 'ending' || isBroken ? undefined : this.#start();
  }

  #start(): DeskHandle | undefined {
    const { start, file, bounds, audit, secrets, report } = this.#options;
    try {
      const desk: DeskHandle = new DeskHandle(start(), {
        added: (added) => this.#added.fire(added),
        problem: report,
        taken: () => this.#taken(desk),
        gone: (reason) => {
          if (this.#runningDesk !== desk) return;
          this.#lose(desk.audited);
          this.#tellMissing();
          this.#break(reason);
        },
      });
      this.#state = { kind: 'working', desk };
      this.#journal.handOver();
      const places = { file: audit.file, journal: this.#journal.taken, bounds: audit.bounds() };
      desk.tell({ kind: 'open', file, bounds, audit: places, secrets: secrets() });
      this.#tellWatched();
      return desk;
    } catch (error) {
      this.#break(String(error));
      return undefined;
    }
  }

  #taken(desk: DeskHandle): void {
    this.#breaks = 0;
    this.#options.report('activity desk', undefined);
    if (this.#runningDesk !== desk) return;
    this.#handOver();
    if (desk.isDone && this.#waiting.length === 0) this.#journal.clearPending();
  }

  /** That something is missing from the audit log has to stand in it. */
  #withLost(batch: Batch): Batch {
    if (this.#lost === 0) return batch;
    return { ...batch, notes: [this.#takeLost(), ...batch.notes], audited: batch.audited + 1 };
  }

  #takeLost(): AuditEntry {
    const lost = lostEntries(this.#lost, this.#options.clock.now());
    this.#lost = 0;
    return lost;
  }

  /** The longer, the more often in a row. */
  #break(reason: string): void {
    const pause = Math.min(longestPause, firstPause * 2 ** this.#breaks);
    this.#breaks += 1;
    this.#state = { kind: 'broken', until: this.#options.clock.now() + pause };
    this.#options.report('activity desk', notKept(reason));
    this.#rest?.dispose();
    this.#rest = undefined;
    this.#retry?.dispose();
    this.#retry = this.#options.clock.after(pause, () => {
      if (this.#waiting.length > 0) this.#handOver();
    });
  }

  #restLater(): void {
    this.#usedAt = this.#options.clock.now();
    this.#rest ??= this.#options.clock.after(restMs, () => this.#restIfUnused());
  }

  #restIfUnused(): void {
    this.#rest = undefined;
    const desk = this.#runningDesk;
    if (desk === undefined) return;
    const left = this.#usedAt + restMs - this.#options.clock.now();
    if (left <= 0 && !desk.isBusy) this.#endDesk(desk);
    else this.#rest = this.#options.clock.after(left <= 0 ? restMs : left, () => this.#restIfUnused());
  }

  #endDesk(desk: DeskHandle): void {
    const done = desk.end(this.#options.clock).then(() => {
      if (this.#state.kind !== 'ending') return;
      this.#state = { kind: 'resting' };
      if (this.#waiting.length > 0) this.#handOver();
    });
    this.#state = { kind: 'ending', done };
  }

  #tellWatched(): void {
    this.#runningDesk?.tell({ kind: 'watch', on: this.isWatched });
  }

  /**
   * Calls are not held up: what waits for a desk that does not keep up loses what was carried first, the oldest first, and only then
   * is lost altogether. Either is told.
   */
  #makeRoom(): void {
    let size = this.#waitingBytes;
    for (let at = 0; size > mostWaiting && at < this.#waiting.length; at += 1) {
      const batch = this.#waiting[at];
      if (batch === undefined || batch.isPartial) continue;
      const bare: Batch = { ...batch, bodies: new Uint8Array(0), isPartial: true };
      this.#waiting[at] = bare;
      size -= sizeOf(batch) - sizeOf(bare);
      this.#partial += batch.audited - batch.notes.length;
    }
    while (size > mostWaiting) {
      const batch = this.#waiting.shift();
      if (batch === undefined) break;
      size -= sizeOf(batch);
      this.#lose(batch.audited);
    }
    this.#tellMissing();
  }

  #lose(audited: number): void {
    this.#lost += audited;
    this.#lostInAll += audited;
  }

  #tellMissing(): void {
    const [lost, partial] = [this.#lostInAll, this.#partial];
    if (lost + partial > 0) this.#options.report('audit incomplete', incomplete(lost, partial));
  }
}

const noHeads = '[]';

/** Bytes. */
const mostWaiting = 8 * 1024 * 1024;
const manyCalls = 10;
const manyBytes = 1024 * 1024;
/** Milliseconds that a few calls wait for a thread; a kill costs no more than them. */
const beginMs = 5_000;
/** Milliseconds without anything to do. */
const restMs = 15_000;
const firstPause = 1_000;
const longestPause = 60_000;

function notWritten(file: string, error: unknown): Problem {
  const sentence = 'The audit log could not be written to; what was done meanwhile may be missing from it.';
  return problem(
    'hub.data_folder_unwritable',
    sentence,
    `Make room, and give yourself write permission for ${file}.`,
    {
      file,
      error: String(error),
    },
  );
}

function incomplete(lost: number, partial: number): Problem {
  const sentence =
    'More went through the hub than could be written down: since it started, the audit log lacks calls, or what they carried.';
  const fix =
    'Rows named lost, and those marked as partial, show where. Give the computer less to do at once, or send less through the hub.';
  return problem('hub.audit_incomplete', sentence, fix, {
    'entries lost': lost,
    'calls without what they carried': partial,
  });
}
