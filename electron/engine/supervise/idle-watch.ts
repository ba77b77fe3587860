import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';

export interface IdleWatchOptions {
  readonly clock: Clock;
  /** Whether it is in use at this moment. */
  readonly isBusy: () => boolean;
  readonly onIdle: () => void;
}

/** Notices that nobody has used a server for a while. One timer, however many calls: a use only notes the time. */
export class IdleWatch {
  readonly #options: IdleWatchOptions;
  #lastUse = 0;
  #watch: { readonly limit: number; timer: Disposable } | undefined;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
  }

  /** Tells once after so many milliseconds without use; undefined: not at all. */
  settle(limit: number | undefined): void {
    if (this.#watch?.limit === limit) return;
    this.#watch?.timer.dispose();
    this.#watch = limit === undefined ? undefined : { limit, timer: this.#wait(limit) };
    this.used();
  }

  used(): void {
    this.#lastUse = this.#options.clock.now();
  }

  #wait(milliseconds: number): Disposable {
    return this.#options.clock.after(milliseconds, () => this.#look());
  }

  #look(): void {
    if (this.#watch === undefined) return;
    const { clock, isBusy, onIdle } = this.#options;
    if (isBusy()) this.used();
    const left = this.#lastUse + this.#watch.limit - clock.now();
    if (left > 0) {
      this.#watch.timer = this.#wait(left);
      return;
    }
    this.#watch = undefined;
    onIdle();
  }
}
