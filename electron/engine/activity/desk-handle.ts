import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type { ActivityAdded } from '../../../shared/model/activity.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { DeskAnswers, DeskInput, DeskOutput, DeskQuestion, DeskThread } from './contract.ts';

export type Batch = Extract<DeskInput, { readonly kind: 'add' }>;

export interface DeskListener {
  added(added: ActivityAdded): void;
  problem(about: string, problem: Problem | undefined): void;
  /** A batch has been processed. */
  taken(): void;
  /** All batches up to this one are in the files. */
  kept(number: number): void;
  /** The thread has ended, expected or not. Nothing follows. */
  gone(reason: string): void;
}

interface Waiting {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** A running activity worker, as seen from the hub's thread. */
export class DeskHandle {
  readonly #thread: DeskThread;
  readonly #listener: DeskListener;
  readonly #asked = new Map<number, Waiting>();
  readonly #gone: Promise<void>;
  /** Batches that it has not processed yet. */
  #busyWith: { readonly size: number; readonly audited: number }[] = [];
  #lastAsk = 0;

  constructor(thread: DeskThread, listener: DeskListener) {
    this.#thread = thread;
    this.#listener = listener;
    thread.onOutput((output) => this.#hear(output));
    this.#gone = new Promise((resolve) => {
      thread.onGone((reason) => {
        for (const { reject } of this.#asked.values()) reject(new ProblemError(notKept(reason)));
        this.#asked.clear();
        resolve();
        listener.gone(reason);
      });
    });
  }

  get isBusy(): boolean {
    return this.#asked.size > 0 || this.#busyWith.length > 0;
  }

  /** Whether it can take more without falling behind. */
  get hasRoom(): boolean {
    return this.#busyWith.reduce((sum, { size }) => sum + size, 0) < mostBytes;
  }

  /** Whether it has processed everything it got. */
  get isDone(): boolean {
    return this.#busyWith.length === 0;
  }

  /** Audit entries that it has not processed yet. */
  get audited(): number {
    return this.#busyWith.reduce((sum, { audited }) => sum + audited, 0);
  }

  take(batch: Batch): void {
    this.#busyWith.push({ size: sizeOf(batch), audited: batch.audited });
    this.#thread.post(batch);
  }

  tell(input: Exclude<DeskInput, { readonly kind: 'add' | 'ask' }>): void {
    this.#thread.post(input);
  }

  ask<K extends DeskQuestion['kind']>(
    question: Extract<DeskQuestion, { readonly kind: K }>,
  ): Promise<DeskAnswers[K]> {
    this.#lastAsk += 1;
    const id = this.#lastAsk;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#asked.set(id, { resolve, reject });
      this.#thread.post({ kind: 'ask', id, question });
    });
    // Ids match each answer to its question.
    return answer as Promise<DeskAnswers[K]>;
  }

  /** Lets it write what it has; resolves when the thread has ended. */
  async end(clock: Clock): Promise<void> {
    this.#thread.post({ kind: 'close' });
    const limit = new AbortController();
    await Promise.race([this.#gone, delay(clock, longestEnd, limit.signal)]);
    limit.abort();
    this.#thread.kill();
    await this.#gone;
  }

  #hear(output: DeskOutput): void {
    switch (output.kind) {
      case 'taken':
        this.#busyWith.shift();
        this.#listener.taken();
        break;
      case 'kept':
        this.#listener.kept(output.number);
        break;
      case 'added':
        this.#listener.added(output.added);
        break;
      case 'answer':
        this.#waiting(output.id)?.resolve(output.answer);
        break;
      case 'refusal':
        this.#waiting(output.id)?.reject(new ProblemError(output.problem));
        break;
      case 'problem':
        this.#listener.problem(output.about, output.problem);
        break;
    }
  }

  #waiting(id: number): Waiting | undefined {
    const waiting = this.#asked.get(id);
    this.#asked.delete(id);
    return waiting;
  }
}

const mostBytes = 8 * 1024 * 1024;
/** Milliseconds for the final writes. */
const longestEnd = 5_000;

export function sizeOf({ heads, rows, bodies }: Batch): number {
  return heads.length + rows.byteLength + bodies.length;
}

export function notKept(reason: string): Problem {
  const sentence = 'Recording of activity has stopped. Calls continue, but are not recorded for now.';
  const fix = 'It restarts automatically. If this message stays, restart Patchbay.';
  return problem('hub.activity_stopped', sentence, fix, { reason });
}
