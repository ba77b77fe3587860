import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';

/** Takes what is to be written off the path of whoever has it, and writes it a moment later, many at once. */
export interface WriteBatcher<T> {
  /** Takes note and returns. It is written within `milliseconds`; 20 where nothing is said. */
  add(item: T, milliseconds?: number): void;
  /** Writes these at once, with what was added so far, or after a failure with the next try; resolves as `flush` does. */
  addAll(items: readonly T[]): Promise<boolean>;
  /** Writes at once what was added so far; resolves to whether all of it is written. */
  flush(): Promise<boolean>;
  /** Resolves when a write of what was added so far has ended, well or not. */
  settled(): Promise<void>;
}

export interface WriteBatcherOptions<T> {
  readonly clock: Clock;
  /** Writes all of them or, rejecting, none. It tells by itself that it failed. */
  readonly write: (items: readonly T[]) => Promise<void>;
  /** What of several items, in order, is worth to be kept while they cannot be written. */
  readonly condense: (items: readonly T[]) => readonly T[];
}

/** Milliseconds from an item to its write. With the write itself a kill costs less than 50 once the database is open. */
const gatherMs = 20;

/** Milliseconds after a write that failed. */
const retryMs = 5_000;
/** Items that come between two tries, before they are condensed with the others. */
const mostUncondensed = 5_000;

export function createWriteBatcher<T>(options: WriteBatcherOptions<T>): WriteBatcher<T> {
  return new TimedBatcher(options);
}

class TimedBatcher<T> implements WriteBatcher<T> {
  readonly #options: WriteBatcherOptions<T>;
  #waiting: T[] = [];
  #timer: Disposable | undefined;
  /** When it will be written. */
  #due = Number.POSITIVE_INFINITY;
  #writing: Promise<boolean> | undefined;
  #hasFailed = false;
  /** Wait for what waits to be written. */
  #settling: (() => void)[] = [];
  /** How many waited after they were last condensed. */
  #condensed = 0;

  constructor(options: WriteBatcherOptions<T>) {
    this.#options = options;
  }

  add(item: T, milliseconds = gatherMs): void {
    this.#waiting.push(item);
    // After a failure it goes with the next try.
    if (this.#writing === undefined && !this.#hasFailed) this.#schedule(milliseconds);
  }

  async addAll(items: readonly T[]): Promise<boolean> {
    // No look at the clock for each: thousands of them come in a second.
    for (const item of items) this.#waiting.push(item);
    if (!this.#hasFailed) return this.flush();
    // What is wrong is wrong for all of them: each try goes through all that waits.
    if (this.#waiting.length > this.#condensed + mostUncondensed) this.#condense(this.#waiting);
    return false;
  }

  async flush(): Promise<boolean> {
    await this.#writing;
    return this.#start();
  }

  settled(): Promise<void> {
    if (this.#waiting.length === 0) return this.#writing?.then(() => undefined) ?? Promise.resolve();
    return new Promise((resolve) => this.#settling.push(resolve));
  }

  /** What waits already is written with it, whichever is due first. */
  #schedule(milliseconds: number): void {
    const { clock } = this.#options;
    const due = clock.uptime() + milliseconds;
    if (due >= this.#due) return;
    this.#timer?.dispose();
    this.#due = due;
    this.#timer = clock.after(milliseconds, () => void this.#start());
  }

  #start(): Promise<boolean> {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#due = Number.POSITIVE_INFINITY;
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  /** What comes in meanwhile is the next batch. */
  async #write(): Promise<boolean> {
    const items = this.#waiting;
    this.#waiting = [];
    const settling = this.#settling.splice(0);
    if (items.length === 0) return true;
    try {
      await this.#options.write(items);
      this.#hasFailed = false;
      if (this.#waiting.length > 0) this.#schedule(gatherMs);
      return true;
    } catch {
      this.#hasFailed = true;
      this.#condense([...items, ...this.#waiting]);
      this.#schedule(retryMs);
      return false;
    } finally {
      for (const resolve of settling) resolve();
    }
  }

  #condense(items: readonly T[]): void {
    this.#waiting = [...this.#options.condense(items)];
    this.#condensed = this.#waiting.length;
  }
}
