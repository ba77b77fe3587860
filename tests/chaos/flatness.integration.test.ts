import { describe, expect, it } from 'vitest';
import { flatnessOf } from './lib/flatness.mjs';

/** Samples of five minutes in one life: what is kept, and what is on its way at the time. */
function lifeOf(kept: (second: number) => number) {
  return Array.from({ length: 60 }, (_, nr) => {
    const seconds = 20 + nr * 5;
    const onItsWay = [0, 2, 9, 4, 1, 15, 3][nr % 7] ?? 0;
    return { pid: 1, age: seconds * 1_000, live: kept(seconds) + onItsWay };
  });
}

describe('[PB-LOAD-1] the drift of a figure within one life', () => {
  it('is none for what is only on its way', () => {
    expect(
      flatnessOf(
        lifeOf(() => 35),
        'live',
      )?.ratio,
    ).toBe(1);
  });

  it('shows what is kept for good, however much is on its way', () => {
    const leak = (seconds: number) => 35 + seconds * 0.02;
    expect(flatnessOf(lifeOf(leak), 'live')?.ratio).toBeGreaterThan(1.05);
  });
});
