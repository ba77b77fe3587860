import { describe, expect, it } from 'vitest';
import { createCountNotifier } from '../../../../electron/engine/base/count-notifier.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

describe('counts that change with every call', () => {
  it('are sent at most twice a second, and only if they have changed', async () => {
    const clock = new FakeClock();
    const counts = new Map([
      ['a', 0],
      ['b', 0],
    ]);
    const told: string[] = [];
    const feed = createCountNotifier(
      clock,
      (key) => counts.get(key) ?? 0,
      (key) => told.push(key),
    );
    for (let call = 0; call < 1000; call++) feed.changed('a');
    await clock.advance(500);
    expect(told).toEqual([]);
    counts.set('a', 2);
    feed.changed('a');
    feed.changed('b');
    await clock.advance(499);
    expect(told).toEqual([]);
    await clock.advance(1);
    expect(told).toEqual(['a']);
    feed.changed('a');
    await clock.advance(500);
    expect(told).toEqual(['a']);
    counts.set('a', 0);
    feed.changed('a');
    await clock.advance(500);
    expect(told).toEqual(['a', 'a']);
    feed.changed('a');
    feed.dispose();
    expect(clock.pending).toBe(0);
  });
});
