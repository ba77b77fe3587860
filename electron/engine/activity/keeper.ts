import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type { ActivityAdded } from '../../../shared/model/activity.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import { UnusedTimer } from '../base/unused-timer.ts';
import type { ActivityBounds } from '../store/state/activity.ts';
import type { AuditBounds } from '../store/state/audit/audit.ts';
import { AuditJournal } from './audit-journal.ts';
import type { DeskAnswers, DeskQuestion, StartDesk } from './contract.ts';
import { type Batch, DeskHandle, notKept } from './desk-handle.ts';
import { WaitingBatches } from './waiting-batches.ts';

export interface KeeperOptions {
  readonly start: StartDesk;
  readonly file: string;
  readonly bounds: ActivityBounds;
  readonly audit: {
    readonly file: string;
    readonly journal: string;
    /** Returns the current limits. */
    readonly bounds: () => AuditBounds;
  };
  readonly clock: Clock;
  /** Returns everything that must be masked now. */
  readonly secrets: () => readonly string[];
  readonly report: (about: string, problem: Problem | undefined) => void;
}

type State =
  | { readonly kind: 'resting' }
  | { readonly kind: 'working'; readonly desk: DeskHandle }
  | { readonly kind: 'ending'; readonly done: Promise<void> }
  /** The worker ended unexpectedly and is not restarted for a while. */
  | { readonly kind: 'broken'; readonly until: number }
  | { readonly kind: 'closed' };

/**
 * Has records stored by a worker thread that exists only while there is work. Failures do not affect calls:
 * records that cannot be handed over wait, within limits; see {@link PendingBatches}.
 */
export class Keeper {
  readonly #options: KeeperOptions;
  readonly #added = new Emitter<ActivityAdded>();
  #state: State = { kind: 'resting' };
  readonly #waiting: WaitingBatches;
  #breaks = 0;
  #begin: { readonly within: number; readonly timer: Disposable } | undefined;
  readonly #rest: UnusedTimer;
  #retry: Disposable | undefined;
  readonly #journal: AuditJournal;

  constructor(options: KeeperOptions) {
    this.#options = options;
    const onUnused = () => this.#restIfUnused();
    this.#rest = new UnusedTimer({ clock: options.clock, milliseconds: restMs, onUnused });
    this.#journal = new AuditJournal(options.audit.journal, (error) =>
      options.report('audit journal', notWritten(options.audit.journal, error)),
    );
    this.#waiting = new WaitingBatches({
      clock: options.clock,
      report: (problem) => options.report('audit incomplete', problem),
    });
  }

  add(batch: Batch): void {
    if (this.#state.kind === 'closed') return;
    const left = this.#journaled(batch);
    if (left === undefined) return;
    this.#waiting.add(left);
    if (this.#state.kind !== 'resting' || this.isWatched || this.#waiting.areMany) this.#handOver();
    else this.#beginWithin(this.#waiting.areWorthAThread ? soonMs : beginMs);
  }

  /** Rejects with ProblemError. */
  async ask<K extends DeskQuestion['kind']>(
    question: Extract<DeskQuestion, { readonly kind: K }>,
  ): Promise<DeskAnswers[K]> {
    if (this.#state.kind === 'ending') await this.#state.done;
    if (this.#state.kind === 'broken') this.#state = { kind: 'resting' };
    // Makes earlier records visible to the query.
    this.#handOver();
    const desk = this.#desk();
    if (desk === undefined) throw new ProblemError(notKept('it cannot be started'));
    return desk.ask(question);
  }

  readonly onAdded = (listener: (added: ActivityAdded) => void): Disposable => {
    const heard = this.#added.event(listener);
    this.#tellWatched();
    if (!this.#waiting.isEmpty) this.#handOver();
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

  /** Resolves when everything has been stored, or given up. */
  async close(): Promise<void> {
    if (this.#state.kind === 'ending') await this.#state.done;
    const desk = this.#waiting.isEmpty ? this.#runningDesk : this.#desk();
    if (desk !== undefined) this.#giveAll(desk);
    // The next hub reports the loss.
    const lost = this.#waiting.takeLost();
    if (lost !== undefined) this.#journal.append([lost]);
    this.#state = { kind: 'closed' };
    for (const timer of [this.#begin?.timer, this.#rest, this.#retry]) timer?.dispose();
    await desk?.end(this.#options.clock);
    if (desk === undefined || desk.isDone) this.#journal.close();
    this.#added.dispose();
  }

  #giveAll(desk: DeskHandle): void {
    for (let batch = this.#waiting.next(); batch !== undefined; batch = this.#waiting.next())
      desk.take(batch);
  }

  get #runningDesk(): DeskHandle | undefined {
    return this.#state.kind === 'working' ? this.#state.desk : undefined;
  }

  /** Writes the batch down until a worker has stored it; returns what still has to go to the worker. */
  #journaled(batch: Batch): Batch | undefined {
    // Notes alone do not start a worker.
    const isNotes = batch.notes.length === batch.audited && batch.count === 0;
    if (this.#runningDesk === undefined && batch.audited > 0 && isNotes) {
      this.#journal.append(batch.notes);
      return batch.heads === noHeads ? undefined : { ...batch, notes: [], audited: 0 };
    }
    this.#journal.appendPending(batch);
    return batch;
  }

  #beginWithin(milliseconds: number): void {
    if (this.#begin !== undefined && this.#begin.within <= milliseconds) return;
    this.#begin?.timer.dispose();
    const timer = this.#options.clock.after(milliseconds, () => this.#handOver());
    this.#begin = { within: milliseconds, timer };
  }

  #handOver(): void {
    this.#begin?.timer.dispose();
    this.#begin = undefined;
    const desk = this.#desk();
    if (desk === undefined) return;
    this.#rest.used();
    while (desk.hasRoom) {
      const batch = this.#waiting.next();
      if (batch === undefined) return;
      desk.take(batch);
    }
  }

  /** Returns the worker, starting it if needed; undefined if that is impossible now. */
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
        kept: (number) => this.#journal.kept(number),
        gone: (reason) => {
          if (this.#runningDesk !== desk) return;
          this.#waiting.lose(desk.audited);
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
    if (this.#runningDesk === desk) this.#handOver();
  }

  /** Pauses longer with each failure in a row. */
  #break(reason: string): void {
    const pause = Math.min(longestPause, firstPause * 2 ** this.#breaks);
    this.#breaks += 1;
    this.#state = { kind: 'broken', until: this.#options.clock.now() + pause };
    this.#options.report('activity desk', notKept(reason));
    this.#rest.dispose();
    this.#retry?.dispose();
    this.#retry = this.#options.clock.after(pause, () => {
      if (!this.#waiting.isEmpty) this.#handOver();
    });
  }

  #restIfUnused(): void {
    const desk = this.#runningDesk;
    if (desk?.isBusy === true) this.#rest.used();
    else if (desk !== undefined) this.#endDesk(desk);
  }

  #endDesk(desk: DeskHandle): void {
    const done = desk.end(this.#options.clock).then(() => {
      if (this.#state.kind !== 'ending') return;
      this.#state = { kind: 'resting' };
      if (!this.#waiting.isEmpty) this.#handOver();
    });
    this.#state = { kind: 'ending', done };
  }

  #tellWatched(): void {
    this.#runningDesk?.tell({ kind: 'watch', on: this.isWatched });
  }
}

const noHeads = '[]';

/** Milliseconds that a few calls wait for a worker; until then the journal has them without their bodies. */
const beginMs = 5_000;
/**
 * The same for calls that justify a worker. Starting one takes 80 ms of processor time, which the first calls
 * after a pause need for themselves.
 */
const soonMs = 1_000;
/** Milliseconds without work. */
const restMs = 15_000;
const firstPause = 1_000;
const longestPause = 60_000;

function notWritten(file: string, error: unknown): Problem {
  const sentence = 'The audit log could not be written. Recent entries may be missing from it.';
  return problem(
    'hub.data_folder_unwritable',
    sentence,
    `Free some disk space, and make sure that you can write to ${file}.`,
    {
      file,
      error: String(error),
    },
  );
}
