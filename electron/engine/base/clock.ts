import type { Disposable } from './emitter.ts';

/** Makes time injectable, so that tests control it. */
export interface Clock {
  /** Epoch milliseconds, for display. They jump when the system time is set. */
  now(): number;
  /** Monotonic milliseconds, for measuring. They may stand still while the machine sleeps. */
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
      left <= maxTimerMs
        ? setTimeout(action, left).unref()
        : setTimeout(() => {
            timer = wait(end - performance.now());
          }, maxTimerMs).unref();
    let timer = wait(milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Milliseconds (24 days). Node fires longer timers immediately. */
const maxTimerMs = 2 ** 31 - 1;

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

/** Runs an action every `milliseconds` until disposed. */
export function every(clock: Clock, milliseconds: number, action: () => void): Disposable {
  let timer = clock.after(milliseconds, tick);
  function tick(): void {
    timer = clock.after(milliseconds, tick);
    action();
  }
  return { dispose: () => timer.dispose() };
}
