import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';

/** Hides everything up to a row at once and deletes it a little later; until then it can be undone. */
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

  /** The last hidden row. */
  get upTo(): number {
    return this.#upTo;
  }

  /** Returns the id for undo. */
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

  /** Deletes for good. Rows that cannot be deleted stay hidden. */
  async end(): Promise<void> {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    pending.timer.dispose();
    await this.#clear(this.#upTo).catch(() => undefined);
  }
}

/** Longer than the window offers undo. */
const undoMs = 15_000;
