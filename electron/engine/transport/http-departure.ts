import { type Clock, delay } from '../base/clock.ts';

/**
 * The end of a connection whose session the server has forgotten: what is under way learns its own fate first, so that
 * of many requests sent together each is known not to have been taken.
 */
export interface Departure {
  /** Counts a message as under way until it is settled. */
  track<T>(sending: Promise<T>): Promise<T>;
  /** Resolves when everything under way is settled, but within a second. */
  begin(): Promise<void>;
  /** Set once it has begun: nothing more should be sent. */
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
