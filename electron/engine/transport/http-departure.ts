import { type Clock, delay } from '../base/clock.ts';

/**
 * Drains a connection whose session the server has forgotten: requests in flight settle first, so that each
 * of them is known not to have been processed.
 */
export interface PendingSends {
  /** Counts a message as in flight until it settles. */
  track<T>(sending: Promise<T>): Promise<T>;
  /** Resolves when everything in flight has settled, or after a second. */
  drain(): Promise<void>;
  /** Set once draining has begun: send nothing more. */
  readonly draining: Promise<void> | undefined;
}

const drainTimeoutMs = 1000;

export function createPendingSends(clock: Clock): PendingSends {
  const inFlight = new Set<Promise<unknown>>();
  let begun: Promise<void> | undefined;
  return {
    track(sending) {
      const settled = sending.catch(() => {}).finally(() => inFlight.delete(settled));
      inFlight.add(settled);
      return sending;
    },
    drain() {
      const settled = Promise.all(inFlight).then(() => {});
      begun ??= Promise.race([settled, delay(clock, drainTimeoutMs)]);
      return begun;
    },
    get draining() {
      return begun;
    },
  };
}
