import { type Clock, delay } from '../base/clock.ts';

/**
 * Drains a connection whose session the server has forgotten: requests in flight settle first, so that each
 * of them is known not to have been processed.
 */
export interface Departure {
  /** Counts a message as in flight until it settles. */
  track<T>(sending: Promise<T>): Promise<T>;
  /** Resolves when everything in flight has settled, or after a second. */
  begin(): Promise<void>;
  /** Set once draining has begun: send nothing more. */
  readonly begun: Promise<void> | undefined;
}

const patienceMs = 1000;

export function createDeparture(clock: Clock): Departure {
  const underWay = new Set<Promise<unknown>>();
  let begun: Promise<void> | undefined;
  return {
    track(sending) {
      const settled = sending.catch(() => {}).finally(() => underWay.delete(settled));
      underWay.add(settled);
      return sending;
    },
    begin() {
      const settled = Promise.all(underWay).then(() => {});
      begun ??= Promise.race([settled, delay(clock, patienceMs)]);
      return begun;
    },
    get begun() {
      return begun;
    },
  };
}
