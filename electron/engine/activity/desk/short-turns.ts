import { performance } from 'node:perf_hooks';

export interface ShortTurnsOptions {
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
  /** Makes the thread sleep for so many milliseconds. */
  readonly sleep?: (milliseconds: number) => void;
}

/**
 * Yields the processor after each short piece of work. On a computer with few processors a call would
 * otherwise wait until a whole batch is done, several times as long as a call takes.
 */
export class ShortTurns {
  readonly #now: () => number;
  readonly #sleep: (milliseconds: number) => void;
  #isLate = false;
  #end = 0;

  constructor({ now = () => performance.now(), sleep = sleepFor }: ShortTurnsOptions = {}) {
    this.#now = now;
    this.#sleep = sleep;
  }

  /** `isLate`: this work has waited long, so do it in one go. */
  begin(isLate: boolean): void {
    this.#isLate = isLate;
  }

  /** Sleeps if this turn has been long enough. */
  readonly pause = (): void => {
    if (this.#isLate || this.#now() < this.#end) return;
    this.#sleep(pauseMs);
    this.#end = this.#now() + turnMs;
  };
}

const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

function sleepFor(milliseconds: number): void {
  Atomics.wait(never, 0, 0, milliseconds);
}

const turnMs = 0.1;
const pauseMs = 0.3;
