import type { Clock } from './clock.ts';
import type { Disposable } from './emitter.ts';

export interface UnusedTimerOptions {
  readonly clock: Clock;
  readonly milliseconds: number;
  readonly onUnused: () => void;
}

/** Fires once when nothing has been used for a while; the next use starts it again. */
export class UnusedTimer implements Disposable {
  readonly #options: UnusedTimerOptions;
  #usedAt = 0;
  #timer: Disposable | undefined;

  constructor(options: UnusedTimerOptions) {
    this.#options = options;
  }

  /** True from a use until the timer fires. */
  get isUsed(): boolean {
    return this.#timer !== undefined;
  }

  used(): void {
    const { clock, milliseconds } = this.#options;
    this.#usedAt = clock.uptime();
    this.#timer ??= clock.after(milliseconds, () => this.#look());
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #look(): void {
    const { clock, milliseconds, onUnused } = this.#options;
    const left = this.#usedAt + milliseconds - clock.uptime();
    this.#timer = left > 0 ? clock.after(left, () => this.#look()) : undefined;
    if (left <= 0) onUnused();
  }
}
