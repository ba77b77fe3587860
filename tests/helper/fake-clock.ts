import type { Clock } from '../../electron/engine/base/clock.ts';

/** A clock that moves only when told; due actions run in order of time. */
export class FakeClock implements Clock {
  #now = 1_000_000;
  #timers: { readonly at: number; readonly action: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  uptime(): number {
    return this.#now;
  }

  after(milliseconds: number, action: () => void): { dispose(): void } {
    const timer = { at: this.#now + milliseconds, action };
    this.#timers.push(timer);
    return {
      dispose: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }

  get pending(): number {
    return this.#timers.length;
  }

  /** Lets time pass, running what falls due, and lets promise reactions run in between. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (let due = this.#next(end); due !== undefined; due = this.#next(end)) {
      this.#now = Math.max(this.#now, due.at);
      this.#timers = this.#timers.filter((other) => other !== due);
      due.action();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  /** The machine sleeps: time passes, and what falls due meanwhile runs late, when it {@link advance}s again. */
  sleep(milliseconds: number): void {
    this.#now += milliseconds;
  }

  #next(end: number) {
    return this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
  }
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
