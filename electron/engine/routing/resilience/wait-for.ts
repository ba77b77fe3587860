import type { Clock } from '../../base/clock.ts';
import type { CallSignal } from '../contract.ts';
import { cancelled } from '../error-map.ts';

/** Resolves after `milliseconds`; rejects at once if the client no longer waits. */
export function waitFor(clock: Clock, milliseconds: number, signal: CallSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    const timer = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = () => {
      timer.dispose();
      signal.removeEventListener('abort', onAbort);
      reject(cancelled());
    };
    signal.addEventListener('abort', onAbort);
  });
}
