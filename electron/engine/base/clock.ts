import type { Disposable } from './emitter.ts';

/** Time as a capability, so that tests decide when it passes. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `action` once after `milliseconds`; disposing the result cancels it. Does not keep the process alive. */
  after(milliseconds: number, action: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

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
