import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';

export interface IdleWatchOptions {
  readonly clock: Clock;
  /** Tells whether the server is in use right now. */
  readonly isBusy: () => boolean;
  /** Runs first, while the server still runs; any use meanwhile keeps it running. */
  readonly beforeIdle?: (() => Promise<void>) | undefined;
  readonly onIdle: () => void;
}

/**
 * Detects that a server has not been used for a while. One timer however many calls: a use only stores the
 * time.
 */
export class IdleWatch {
  readonly #options: IdleWatchOptions;
  #lastUse = 0;
  #watch: Watch | undefined;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
  }

  /** Fires once after `limit` milliseconds without use; undefined turns it off. */
  setLimit(limit: number | undefined): void {
    if (this.#watch?.limit === limit) return;
    this.#watch?.timer.dispose();
    this.#watch = limit === undefined ? undefined : { limit, timer: this.#wait(limit) };
    this.markUsed();
  }

  markUsed(): void {
    this.#lastUse = this.#options.clock.now();
  }

  #wait(milliseconds: number): Disposable {
    return this.#options.clock.after(milliseconds, () => this.#check());
  }

  #check(): void {
    const watch = this.#watch;
    if (watch === undefined || !this.#isExpired(watch)) return;
    const { beforeIdle } = this.#options;
    const end = () => {
      if (this.#watch === watch && this.#isExpired(watch)) this.#fire();
    };
    if (beforeIdle === undefined) end();
    else beforeIdle().then(end, end);
  }

  /** Checks the time, and schedules the next look if it is too early. */
  #isExpired(watch: Watch): boolean {
    const { clock, isBusy } = this.#options;
    if (isBusy()) this.markUsed();
    const left = this.#lastUse + watch.limit - clock.now();
    if (left > 0) watch.timer = this.#wait(left);
    return left <= 0;
  }

  #fire(): void {
    this.#watch = undefined;
    this.#options.onIdle();
  }
}

interface Watch {
  readonly limit: number;
  timer: Disposable;
}
