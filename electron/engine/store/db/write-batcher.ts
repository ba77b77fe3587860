import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';

/** Queues items and writes many of them at once shortly after, so that callers do not wait. */
export interface WriteBatcher<T> {
  /** Queues an item and returns. Writes it within `milliseconds`; 20 by default. */
  add(item: T, milliseconds?: number): void;
  /**
   * Writes these items at once, together with queued ones; after a failure, with the next retry. Resolves
   * like `flush`.
   */
  addAll(items: readonly T[]): Promise<boolean>;
  /** Writes everything queued now; resolves to whether all of it is written. */
  flush(): Promise<boolean>;
  /** Resolves when everything queued so far has been written, or writing it has failed. */
  settled(): Promise<void>;
}

export interface WriteBatcherOptions<T> {
  readonly clock: Clock;
  /** Writes all items or, if it rejects, none. Reports its failures itself. */
  readonly write: (items: readonly T[]) => Promise<void>;
  /** Selects which items, in order, to keep while they cannot be written. */
  readonly condense: (items: readonly T[]) => readonly T[];
}

/**
 * Milliseconds from an item to its write. Together with the write, a crash costs less than 50 ms once the
 * database is open.
 */
const gatherMs = 20;

/** Milliseconds after a failed write. */
const retryMs = 5_000;
/** Items that may come between two retries before they are condensed with the others. */
const maxUncondensed = 5_000;

export function createWriteBatcher<T>(options: WriteBatcherOptions<T>): WriteBatcher<T> {
  return new TimedBatcher(options);
}

class TimedBatcher<T> implements WriteBatcher<T> {
  readonly #options: WriteBatcherOptions<T>;
  #pending: T[] = [];
  #timer: Disposable | undefined;
  /** When the next write is due. */
  #due = Number.POSITIVE_INFINITY;
  #writing: Promise<boolean> | undefined;
  #hasFailed = false;
  /** Callers that wait for the queued items. */
  #settling: (() => void)[] = [];
  /** Number of queued items after they were last condensed. */
  #condensedCount = 0;

  constructor(options: WriteBatcherOptions<T>) {
    this.#options = options;
  }

  add(item: T, milliseconds = gatherMs): void {
    this.#pending.push(item);
    // After a failure the item waits for the retry.
    if (this.#writing === undefined && !this.#hasFailed) this.#schedule(milliseconds);
  }

  async addAll(items: readonly T[]): Promise<boolean> {
    // Does not check the clock for each item: thousands come per second.
    for (const item of items) this.#pending.push(item);
    if (!this.#hasFailed) return this.flush();
    // Every retry would fail for the same reason and go through all queued items.
    if (this.#pending.length > this.#condensedCount + maxUncondensed) this.#condense(this.#pending);
    return false;
  }

  async flush(): Promise<boolean> {
    await this.#writing;
    return this.#start();
  }

  settled(): Promise<void> {
    if (this.#pending.length === 0) return this.#writing?.then(() => undefined) ?? Promise.resolve();
    return new Promise((resolve) => this.#settling.push(resolve));
  }

  /** Writes earlier items together with this one, at the earliest time due. */
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

  /** Items that come meanwhile are the next batch. */
  async #write(): Promise<boolean> {
    const items = this.#pending;
    this.#pending = [];
    const settling = this.#settling.splice(0);
    if (items.length === 0) return true;
    try {
      await this.#options.write(items);
      this.#hasFailed = false;
      if (this.#pending.length > 0) this.#schedule(gatherMs);
      return true;
    } catch {
      this.#hasFailed = true;
      this.#condense([...items, ...this.#pending]);
      this.#schedule(retryMs);
      return false;
    } finally {
      for (const resolve of settling) resolve();
    }
  }

  #condense(items: readonly T[]): void {
    this.#pending = [...this.#options.condense(items)];
    this.#condensedCount = this.#pending.length;
  }
}
