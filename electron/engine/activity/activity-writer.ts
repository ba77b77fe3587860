import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type { ActivityAdded } from '../../../shared/model/activity/activity.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import { IdleTimer } from '../base/idle-timer.ts';
import { ActivityWorkerClient, recordingStopped } from './activity-worker-client.ts';
import type { AuditBounds } from './audit/audit.ts';
import { AuditJournal } from './audit-journal.ts';
import type {
  ActivityBatch,
  ActivityWorkerAnswers,
  ActivityWorkerQuery,
  StartActivityWorker,
} from './contract.ts';
import { PendingBatches } from './pending-batches.ts';
import type { ActivityBounds } from './store/activity.ts';
import { maskNotes } from './worker/mask-notes.ts';
import { Masking } from './worker/masking.ts';

export interface ActivityWriterOptions {
  readonly start: StartActivityWorker;
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
  | { readonly kind: 'working'; readonly worker: ActivityWorkerClient }
  | { readonly kind: 'ending'; readonly done: Promise<void> }
  /** The worker ended unexpectedly and is not restarted for a while. */
  | { readonly kind: 'broken'; readonly until: number }
  | { readonly kind: 'closed' };

/**
 * Has records stored by a worker thread that exists only while there is work. Failures do not affect calls:
 * records that cannot be handed over wait, within limits; see {@link PendingBatches}.
 */
export class ActivityWriter {
  readonly #options: ActivityWriterOptions;
  readonly #added = new Emitter<ActivityAdded>();
  #state: State = { kind: 'resting' };
  readonly #pending: PendingBatches;
  #failures = 0;
  #startTimer: { readonly within: number; readonly timer: Disposable } | undefined;
  readonly #idleTimer: IdleTimer;
  #retry: Disposable | undefined;
  readonly #journal: AuditJournal;
  /** Masks what is known to be secret, or was since the first note or worker. */
  #masking: Masking | undefined;

  constructor(options: ActivityWriterOptions) {
    this.#options = options;
    const onUnused = () => this.#endIfIdle();
    this.#idleTimer = new IdleTimer({ clock: options.clock, milliseconds: idleTimeoutMs, onIdle: onUnused });
    this.#journal = new AuditJournal(options.audit.journal, (error) =>
      options.report(
        'audit journal',
        error === undefined ? undefined : journalUnwritable(options.audit.journal, error),
      ),
    );
    this.#pending = new PendingBatches({
      clock: options.clock,
      report: (problem) => options.report('audit incomplete', problem),
    });
  }

  add(batch: ActivityBatch): void {
    if (this.#state.kind === 'closed') return;
    const remaining = this.#journaled(this.#masked(batch));
    if (remaining === undefined) return;
    this.#pending.add(remaining);
    if (this.#state.kind !== 'resting' || this.isWatched || this.#pending.areLarge) this.#handOver();
    else this.#startWithin(this.#pending.shouldStartWorker ? shortStartDelayMs : startDelayMs);
  }

  /** Rejects with ProblemError. */
  async ask<K extends ActivityWorkerQuery['kind']>(
    question: Extract<ActivityWorkerQuery, { readonly kind: K }>,
  ): Promise<ActivityWorkerAnswers[K]> {
    if (this.#state.kind === 'ending') await this.#state.done;
    if (this.#state.kind === 'broken') this.#state = { kind: 'resting' };
    // Makes earlier records visible to the query.
    this.#handOver();
    const worker = this.#ensureWorker();
    if (worker === undefined) throw new ProblemError(recordingStopped('it cannot be started'));
    return worker.ask(question);
  }

  readonly onAdded = (listener: (added: ActivityAdded) => void): Disposable => {
    const subscription = this.#added.event(listener);
    this.#sendWatched();
    if (!this.#pending.isEmpty) this.#handOver();
    return {
      dispose: () => {
        subscription.dispose();
        this.#sendWatched();
      },
    };
  };

  get isWatched(): boolean {
    return this.#added.hasListeners;
  }

  secretsChanged(): void {
    const secrets = this.#learnSecrets();
    if (this.#state.kind === 'working') this.#state.worker.send({ kind: 'secrets', secrets });
  }

  /** Resolves when everything has been stored, or given up. */
  async close(): Promise<void> {
    if (this.#state.kind === 'ending') await this.#state.done;
    const worker = this.#pending.isEmpty ? this.#runningWorker : this.#ensureWorker();
    if (worker !== undefined) this.#handOverAll(worker);
    // The next hub reports the loss.
    const lossNote = this.#pending.takeLost();
    if (lossNote !== undefined) this.#journal.append([lossNote]);
    this.#state = { kind: 'closed' };
    for (const timer of [this.#startTimer?.timer, this.#idleTimer, this.#retry]) timer?.dispose();
    await worker?.end(this.#options.clock);
    if (worker === undefined ? this.#pending.isEmpty : worker.hasProcessedAll) this.#journal.close();
    this.#added.dispose();
  }

  #handOverAll(worker: ActivityWorkerClient): void {
    for (let batch = this.#pending.next(); batch !== undefined; batch = this.#pending.next())
      worker.add(batch);
  }

  get #runningWorker(): ActivityWorkerClient | undefined {
    return this.#state.kind === 'working' ? this.#state.worker : undefined;
  }

  /** Masks the notes, which the journal has before the worker does; they are few. */
  #masked(batch: ActivityBatch): ActivityBatch {
    if (batch.notes.length === 0) return batch;
    this.#masking ??= new Masking(this.#options.secrets());
    return { ...batch, notes: maskNotes(batch.notes, this.#masking) };
  }

  #learnSecrets(): readonly string[] {
    const secrets = this.#options.secrets();
    this.#masking ??= new Masking();
    this.#masking.learn(secrets);
    return secrets;
  }

  /** Writes the batch down until a worker has stored it; returns what still has to go to the worker. */
  #journaled(batch: ActivityBatch): ActivityBatch | undefined {
    // Notes alone do not start a worker.
    const isNotes = batch.notes.length === batch.audited && batch.count === 0;
    // Notes that cannot be written down wait for a worker instead.
    if (
      this.#runningWorker === undefined &&
      batch.audited > 0 &&
      isNotes &&
      this.#journal.append(batch.notes)
    ) {
      return batch.records.length === 0 ? undefined : { ...batch, notes: [], audited: 0 };
    }
    this.#journal.appendPending(batch);
    return batch;
  }

  #startWithin(milliseconds: number): void {
    if (this.#startTimer !== undefined && this.#startTimer.within <= milliseconds) return;
    this.#startTimer?.timer.dispose();
    const timer = this.#options.clock.after(milliseconds, () => this.#handOver());
    this.#startTimer = { within: milliseconds, timer };
  }

  #handOver(): void {
    this.#startTimer?.timer.dispose();
    this.#startTimer = undefined;
    const worker = this.#ensureWorker();
    if (worker === undefined) return;
    this.#idleTimer.markUsed();
    while (worker.hasRoom) {
      const batch = this.#pending.next();
      if (batch === undefined) return;
      worker.add(batch);
    }
  }

  /** Returns the worker, starting it if needed; undefined if that is impossible now. */
  #ensureWorker(): ActivityWorkerClient | undefined {
    const state = this.#state;
    if (state.kind === 'working') return state.worker;
    const isBroken = state.kind === 'broken' && state.until > this.#options.clock.now();
    return state.kind === 'closed' || state.kind === 'ending' || isBroken ? undefined : this.#start();
  }

  #start(): ActivityWorkerClient | undefined {
    const { start, file, bounds, audit, report } = this.#options;
    try {
      const worker: ActivityWorkerClient = new ActivityWorkerClient(start(), {
        added: (added) => this.#added.fire(added),
        problem: report,
        processed: () => this.#onProcessed(worker),
        stored: (number) => this.#journal.stored(number),
        ended: (reason) => {
          if (this.#runningWorker !== worker) return;
          this.#pending.addLost(worker.audited);
          this.#onFailure(reason);
        },
      });
      this.#state = { kind: 'working', worker };
      this.#journal.handOver();
      const places = { file: audit.file, journal: this.#journal.takeoverFile, bounds: audit.bounds() };
      worker.send({ kind: 'open', file, bounds, audit: places, secrets: this.#learnSecrets() });
      this.#sendWatched();
      return worker;
    } catch (error) {
      this.#onFailure(String(error));
      return undefined;
    }
  }

  #onProcessed(worker: ActivityWorkerClient): void {
    this.#failures = 0;
    this.#options.report('activity worker', undefined);
    if (this.#runningWorker === worker) this.#handOver();
  }

  /** Pauses longer with each failure in a row. */
  #onFailure(reason: string): void {
    const pauseMs = Math.min(maxPauseMs, minPauseMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#state = { kind: 'broken', until: this.#options.clock.now() + pauseMs };
    this.#options.report('activity worker', recordingStopped(reason));
    this.#idleTimer.dispose();
    this.#retry?.dispose();
    this.#retry = this.#options.clock.after(pauseMs, () => {
      if (!this.#pending.isEmpty) this.#handOver();
    });
  }

  #endIfIdle(): void {
    const worker = this.#runningWorker;
    if (worker?.isBusy === true) this.#idleTimer.markUsed();
    else if (worker !== undefined) this.#endWorker(worker);
  }

  #endWorker(worker: ActivityWorkerClient): void {
    const done = worker.end(this.#options.clock).then(() => {
      if (this.#state.kind !== 'ending') return;
      this.#state = { kind: 'resting' };
      if (!this.#pending.isEmpty) this.#handOver();
    });
    this.#state = { kind: 'ending', done };
  }

  #sendWatched(): void {
    this.#runningWorker?.send({ kind: 'watch', on: this.isWatched });
  }
}

/** Milliseconds that a few calls wait for a worker; until then the journal has them without their bodies. */
const startDelayMs = 5_000;
/**
 * The same for calls that justify a worker. Starting one takes 80 ms of processor time, which the first calls
 * after a pause need for themselves.
 */
const shortStartDelayMs = 1_000;
/** Milliseconds without work. */
const idleTimeoutMs = 15_000;
const minPauseMs = 1_000;
const maxPauseMs = 60_000;

function journalUnwritable(file: string, error: unknown): Problem {
  const sentence = 'The audit log could not be written. Recent entries may be missing.';
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
