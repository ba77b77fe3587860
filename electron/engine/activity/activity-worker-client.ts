import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type { ActivityAdded } from '../../../shared/model/activity/activity.ts';
import { type Clock, delay } from '../base/clock.ts';
import type {
  ActivityBatch,
  ActivityWorkerAnswers,
  ActivityWorkerInput,
  ActivityWorkerOutput,
  ActivityWorkerQuery,
  ActivityWorkerThread,
} from './contract.ts';

export interface ActivityWorkerListener {
  added(added: ActivityAdded): void;
  problem(about: string, problem: Problem | undefined): void;
  /** A batch has been processed. */
  processed(): void;
  /** All batches up to this one are in the files. */
  stored(number: number): void;
  /** The thread has ended, expected or not. Nothing follows. */
  ended(reason: string): void;
}

interface PendingQuery {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** A running activity worker, as seen from the hub's thread. */
export class ActivityWorkerClient {
  readonly #thread: ActivityWorkerThread;
  readonly #listener: ActivityWorkerListener;
  readonly #pending = new Map<number, PendingQuery>();
  readonly #ended: Promise<void>;
  /** Batches that it has not processed yet. */
  #unprocessed: { readonly size: number; readonly audited: number }[] = [];
  #lastAsk = 0;

  constructor(thread: ActivityWorkerThread, listener: ActivityWorkerListener) {
    this.#thread = thread;
    this.#listener = listener;
    thread.onOutput((output) => this.#receive(output));
    this.#ended = new Promise((resolve) => {
      thread.onEnded((reason) => {
        for (const { reject } of this.#pending.values()) reject(new ProblemError(recordingStopped(reason)));
        this.#pending.clear();
        resolve();
        listener.ended(reason);
      });
    });
  }

  get isBusy(): boolean {
    return this.#pending.size > 0 || this.#unprocessed.length > 0;
  }

  /** Tells whether it can take more without falling behind. */
  get hasRoom(): boolean {
    return this.#unprocessed.reduce((sum, { size }) => sum + size, 0) < maxUnprocessedBytes;
  }

  /** Tells whether it has processed everything it got. */
  get hasProcessedAll(): boolean {
    return this.#unprocessed.length === 0;
  }

  /** Audit entries that it has not processed yet. */
  get audited(): number {
    return this.#unprocessed.reduce((sum, { audited }) => sum + audited, 0);
  }

  add(batch: ActivityBatch): void {
    this.#unprocessed.push({ size: batch.size, audited: batch.audited });
    this.#thread.post({ kind: 'add', ...batch });
  }

  send(input: Exclude<ActivityWorkerInput, { readonly kind: 'add' | 'ask' }>): void {
    this.#thread.post(input);
  }

  ask<K extends ActivityWorkerQuery['kind']>(
    question: Extract<ActivityWorkerQuery, { readonly kind: K }>,
  ): Promise<ActivityWorkerAnswers[K]> {
    this.#lastAsk += 1;
    const id = this.#lastAsk;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#thread.post({ kind: 'ask', id, question });
    });
    // Ids match each answer to its question.
    return answer as Promise<ActivityWorkerAnswers[K]>;
  }

  /** Lets it write what it has; resolves when the thread has ended. */
  async end(clock: Clock): Promise<void> {
    this.#thread.post({ kind: 'close' });
    const limit = new AbortController();
    await Promise.race([this.#ended, delay(clock, endTimeoutMs, limit.signal)]);
    limit.abort();
    this.#thread.kill();
    await this.#ended;
  }

  #receive(output: ActivityWorkerOutput): void {
    switch (output.kind) {
      case 'taken':
        this.#unprocessed.shift();
        this.#listener.processed();
        break;
      case 'kept':
        this.#listener.stored(output.number);
        break;
      case 'added':
        this.#listener.added(output.added);
        break;
      case 'answer':
        this.#takePending(output.id)?.resolve(output.answer);
        break;
      case 'refusal':
        this.#takePending(output.id)?.reject(new ProblemError(output.problem));
        break;
      case 'problem':
        this.#listener.problem(output.about, output.problem);
        break;
    }
  }

  #takePending(id: number): PendingQuery | undefined {
    const waiting = this.#pending.get(id);
    this.#pending.delete(id);
    return waiting;
  }
}

const maxUnprocessedBytes = 8 * 1024 * 1024;
/** Milliseconds for the final writes. */
const endTimeoutMs = 5_000;

export function recordingStopped(reason: string): Problem {
  const sentence = 'Activity is not being recorded right now. Calls are not affected.';
  const fix = 'Recording restarts automatically. If this message stays, restart Patchbay.';
  return problem('hub.activity_stopped', sentence, fix, { reason });
}
