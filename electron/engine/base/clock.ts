import type { Disposable } from './emitter.ts';

/** Time as a capability, so that tests decide when it passes. */
export interface Clock {
  /** Epoch milliseconds, for telling: they jump when somebody sets the time. */
  now(): number;
  /** Milliseconds that only ever grow, for measuring; they may stand still while the machine sleeps. */
  uptime(): number;
  /** Runs `action` once after `milliseconds`; disposing the result cancels it. Does not keep the process alive. */
  after(milliseconds: number, action: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  uptime: () => performance.now(),
  after(milliseconds, action) {
    const end = performance.now() + milliseconds;
    const wait = (left: number): NodeJS.Timeout =>
      left <= longestTimer
        ? setTimeout(action, left).unref()
        : setTimeout(() => {
            timer = wait(end - performance.now());
          }, longestTimer).unref();
    let timer = wait(milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Milliseconds, 24 days: what lies further away Node runs at once. */
const longestTimer = 2 ** 31 - 1;

/** Resolves after `milliseconds`, or at once when `signal` aborts. */
export function delay(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      timer.dispose();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = clock.after(milliseconds, finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** Looks again and again, so many milliseconds after the last look, until it is disposed of. */
export function every(clock: Clock, milliseconds: number, look: () => void): Disposable {
  let timer = clock.after(milliseconds, again);
  function again(): void {
    timer = clock.after(milliseconds, again);
    look();
  }
  return { dispose: () => timer.dispose() };
}
