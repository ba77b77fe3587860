import { describe, expect, it } from 'vitest';
import { ShortTurns } from '../../../../electron/engine/activity/desk/short-turns.ts';

/** Work of 10 µs a piece; when it slept, and for how long. */
function working() {
  let now = 1;
  let slept = 0;
  const turns = new ShortTurns({
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      slept += milliseconds;
    },
  });
  return {
    turns,
    slept: () => slept,
    work(pieces: number) {
      for (let piece = 0; piece < pieces; piece += 1) {
        turns.rest();
        now += 0.01;
      }
    },
  };
}

describe('a desk that takes short turns', () => {
  it('lets the processor go for longer than it works', () => {
    const { work, slept } = working();
    work(1_000);
    expect(slept()).toBeGreaterThan(20);
    expect(slept()).toBeLessThan(40);
  });

  it('does what has waited for long in one go', () => {
    const { turns, work, slept } = working();
    turns.begin(true);
    work(1_000);
    expect(slept()).toBe(0);
    turns.begin(false);
    work(10);
    expect(slept()).toBeGreaterThan(0);
  });
});
