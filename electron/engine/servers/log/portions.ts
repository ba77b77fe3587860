import { formatBytes } from '../../../../shared/model/amount.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';

export interface PortionsOptions<T> {
  readonly clock: Clock;
  size(part: T): number;
  /** Receives a part, and the size of the parts before it that were left out. */
  pass(part: T, lost: number): void;
}

/**
 * Passes parts of a program's output on in portions, so that masking them leaves time for calls. Accepts
 * everything at once: of a flood, the newest parts wait, no more than a log keeps; the oldest are left out.
 */
export class Portions<T> {
  readonly #options: PortionsOptions<T>;
  readonly #waiting: T[] = [];
  /** Size of all parts that wait. */
  #size = 0;
  /** Size that may still be passed on before the next portion. */
  #left = portionSize;
  /** Size of the parts left out since the last one that was passed on. */
  #lost = 0;
  #timer: Disposable | undefined;

  constructor(options: PortionsOptions<T>) {
    this.#options = options;
  }

  push(part: T): void {
    this.#waiting.push(part);
    this.#size += this.#options.size(part);
    while (this.#size > maxWaitingSize && this.#waiting.length > 1) this.#lost += this.#next().size;
    this.#passPortion();
  }

  /** Passes on all that waits. */
  end(): void {
    this.#timer?.dispose();
    while (this.#waiting.length > 0) this.#passNext();
  }

  #passPortion(): void {
    while (this.#left > 0 && this.#waiting.length > 0) this.#passNext();
    this.#timer ??= this.#options.clock.after(intervalMs, () => {
      this.#timer = undefined;
      this.#left = portionSize;
      if (this.#waiting.length > 0) this.#passPortion();
    });
  }

  #passNext(): void {
    const { part, size } = this.#next();
    const lost = this.#lost;
    this.#lost = 0;
    this.#left -= size;
    this.#options.pass(part, lost);
  }

  /** Takes the oldest part; there must be one. */
  #next(): { readonly part: T; readonly size: number } {
    const part = this.#waiting.shift() as T;
    const size = this.#options.size(part);
    this.#size -= size;
    return { part, size };
  }
}

/** The line of a log in place of what was left out. */
export function leftOutText(lost: number): string {
  return `(${formatBytes(lost)} left out: the server writes faster than Patchbay can mask secrets)`;
}

const intervalMs = 100;
const portionSize = 64 * 1024;
const maxWaitingSize = 512 * 1024;
