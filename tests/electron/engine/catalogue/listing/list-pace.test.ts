import { describe, expect, it } from 'vitest';
import { ListPace } from '../../../../../electron/engine/catalogue/listing/list-state.ts';

/**
 * Returns the waits of lists that take 10 ms each and are requested this many milliseconds after the previous
 * one.
 */
function waits(afters: readonly number[]): readonly number[] {
  const pace = new ListPace();
  let now = 0;
  return afters.map((after) => {
    now += after;
    const wait = pace.nextDelayMs(now);
    now += wait + 10;
    pace.recordEnd(now);
    return wait;
  });
}

describe('the pace of lists that have changed', () => {
  it('is without a pause at first, then slower with each that follows at once, to 30 s', () => {
    expect(waits(Array.from({ length: 11 }, () => 0))).toEqual([
      0, 300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 30_000, 30_000, 30_000,
    ]);
  });

  it('counts the time that has passed by itself', () => {
    expect(waits([0, 100, 700, 1_000])).toEqual([0, 200, 0, 200]);
  });

  it('resets after a quiet period, so that manual changes are listed at once', () => {
    expect(waits([0, 0, 0, 2_000, 0, 2_500, 3_000])).toEqual([0, 300, 600, 0, 300, 0, 0]);
  });

  it('is a storm only after some ten seconds', () => {
    const pace = new ListPace();
    const told = Array.from({ length: 8 }, () => {
      pace.nextDelayMs(0);
      pace.recordEnd(0);
      return pace.isStorm;
    });
    expect(told.indexOf(true)).toBe(6);
  });
});
