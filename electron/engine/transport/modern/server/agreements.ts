import type { Clock } from '../../../base/clock.ts';

/** Things that a server was asked to notify about, and has not answered yet. */
export class Agreements {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, (isAgreed: boolean) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get keys(): readonly string[] {
    return [...this.#waiting.keys()];
  }

  has(key: string): boolean {
    return this.#waiting.has(key);
  }

  /** Resolves once the server has answered; `onTimeout` settles it for one that says nothing in time. */
  wait(key: string, onTimeout: () => void): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = this.#clock.after(agreeMs, onTimeout);
      const others = this.#waiting.get(key);
      this.#waiting.set(key, (isAgreed) => {
        timer.dispose();
        others?.(isAgreed);
        resolve(isAgreed);
      });
    });
  }

  settle(key: string, isAgreed: boolean): void {
    const resolve = this.#waiting.get(key);
    this.#waiting.delete(key);
    resolve?.(isAgreed);
  }
}

/** Milliseconds in which a server agrees to notify about something. */
const agreeMs = 2_000;
