import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';

/** Everything up to a row is out of sight at once, and gone a little later, until when that can be taken back. */
export class Clearing {
  readonly #clock: Clock;
  readonly #clear: (upTo: number) => Promise<void>;
  #pending: { readonly id: string; readonly before: number; readonly timer: Disposable } | undefined;
  #count = 0;
  #upTo = 0;

  constructor(clock: Clock, clear: (upTo: number) => Promise<void>) {
    this.#clock = clock;
    this.#clear = clear;
  }

  /** The last row that is out of sight. */
  get upTo(): number {
    return this.#upTo;
  }

  /** The id to take it back by. */
  async begin(upTo: number): Promise<string> {
    await this.end();
    this.#count += 1;
    const id = `clear-${this.#clock.now()}-${this.#count}`;
    const timer = this.#clock.after(undoMs, () => void this.end());
    this.#pending = { id, before: this.#upTo, timer };
    this.#upTo = upTo;
    return id;
  }

  undo(id: string): boolean {
    if (this.#pending?.id !== id) return false;
    this.#pending.timer.dispose();
    this.#upTo = this.#pending.before;
    this.#pending = undefined;
    return true;
  }

  /** Nothing can be taken back any more. What could not be deleted stays out of sight. */
  async end(): Promise<void> {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    pending.timer.dispose();
    await this.#clear(this.#upTo).catch(() => undefined);
  }
}

/** Longer than the window offers it. */
const undoMs = 15_000;
