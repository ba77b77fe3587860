import { describe, expect, it } from 'vitest';
import { ShortTurns } from '../../../../electron/engine/activity/desk/short-turns.ts';

/** Simulates work of 10 µs per item, and records when it slept and for how long. */
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
        turns.pause();
        now += 0.01;
      }
    },
  };
}

describe('a worker that takes short turns', () => {
  it('yields the processor for longer than it works', () => {
    const { work, slept } = working();
    work(1_000);
    expect(slept()).toBeGreaterThan(20);
    expect(slept()).toBeLessThan(40);
  });

  it('does work that has waited long in one go', () => {
    const { turns, work, slept } = working();
    turns.begin(true);
    work(1_000);
    expect(slept()).toBe(0);
    turns.begin(false);
    work(10);
    expect(slept()).toBeGreaterThan(0);
  });
});
