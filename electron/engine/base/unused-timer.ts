import type { Clock } from './clock.ts';
import type { Disposable } from './emitter.ts';

export interface IdleTimerOptions {
  readonly clock: Clock;
  readonly milliseconds: number;
  readonly onIdle: () => void;
}

/** Fires once when nothing has been used for a while; the next use starts it again. */
export class IdleTimer implements Disposable {
  readonly #options: IdleTimerOptions;
  #usedAt = 0;
  #timer: Disposable | undefined;

  constructor(options: IdleTimerOptions) {
    this.#options = options;
  }

  /** True from a use until the timer fires. */
  get isUsed(): boolean {
    return this.#timer !== undefined;
  }

  markUsed(): void {
    const { clock, milliseconds } = this.#options;
    this.#usedAt = clock.uptime();
    this.#timer ??= clock.after(milliseconds, () => this.#check());
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #check(): void {
    const { clock, milliseconds, onIdle: onUnused } = this.#options;
    const left = this.#usedAt + milliseconds - clock.uptime();
    this.#timer = left > 0 ? clock.after(left, () => this.#check()) : undefined;
    if (left <= 0) onUnused();
  }
}
