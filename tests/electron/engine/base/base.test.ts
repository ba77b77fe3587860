import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffDelay } from '../../../../electron/engine/base/backoff.ts';
import { delay, systemClock } from '../../../../electron/engine/base/clock.ts';
import { createCoalescer } from '../../../../electron/engine/base/coalescer.ts';
import { Emitter } from '../../../../electron/engine/base/emitter.ts';
import { SerialQueue } from '../../../../electron/engine/base/serial-queue.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

describe('emitter', () => {
  it('keeps notifying the others when one listener throws, and reports the error', () => {
    const errors: unknown[] = [];
    const heard: number[] = [];
    const emitter = new Emitter<number>((error) => errors.push(error));
    emitter.event(() => {
      throw new Error('bug');
    });
    const second = emitter.event((value) => heard.push(value));
    emitter.fire(1);
    second.dispose();
    second.dispose();
    emitter.fire(2);
    expect(heard).toEqual([1]);
    expect(errors).toHaveLength(2);
  });
});

describe('coalescer', () => {
  it('flushes once per burst and never after it is disposed', async () => {
    const clock = new FakeClock();
    let flushes = 0;
    const coalescer = createCoalescer(clock, 50, () => {
      flushes += 1;
    });
    for (let burst = 0; burst < 100; burst += 1) coalescer.mark();
    await clock.advance(50);
    expect(flushes).toBe(1);
    coalescer.mark();
    coalescer.flush();
    coalescer.flush();
    expect(flushes).toBe(2);
    coalescer.mark();
    coalescer.dispose();
    await clock.advance(1000);
    expect(flushes).toBe(2);
  });
});

describe('queue', () => {
  it('runs one task at a time, in order, past failures', async () => {
    const queue = new SerialQueue();
    const order: string[] = [];
    const task = (name: string, fails = false) =>
      queue.run(async () => {
        order.push(`${name} starts`);
        await Promise.resolve();
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
        return name;
      });
    const outcomes = await Promise.allSettled([task('a'), task('b', true), task('c')]);
    expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});

describe('time', () => {
  it('stays within the bounds of backoff and jitter', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, chance) => {
        const wait = backoffDelay(
          { initial: 500, max: 30_000, factor: 2, jitter: 0.2 },
          attempt,
          () => chance,
        );
        const base = Math.min(30_000, 500 * 2 ** attempt);
        expect(wait).toBeGreaterThanOrEqual(Math.floor(base * 0.8));
        expect(wait).toBeLessThanOrEqual(Math.ceil(base * 1.2));
      }),
    );
  });

  it('waits longer than a Node timer can', async () => {
    let ran = false;
    const far = systemClock.after(2 ** 31 + 1000, () => {
      ran = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    far.dispose();
    expect(ran).toBe(false);
  });

  it('ends a delay immediately when it is aborted, leaving no timer', async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const waiting = delay(clock, 10_000, abort.signal);
    abort.abort();
    await waiting;
    expect(clock.pending).toBe(0);
  });
});
