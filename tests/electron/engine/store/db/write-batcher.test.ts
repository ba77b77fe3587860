import { describe, expect, it } from 'vitest';
import { createWriteBatcher } from '../../../../../electron/engine/store/db/write-batcher.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';

/** Creates a batcher of numbers that records its writes and ends them on demand. */
function batching(condense = (items: readonly number[]): readonly number[] => items) {
  const clock = new FakeClock();
  const batches: { readonly items: readonly number[]; readonly at: number }[] = [];
  let write: () => Promise<void> = async () => {};
  const batcher = createWriteBatcher<number>({
    clock,
    condense,
    write: (items) => {
      batches.push({ items, at: clock.now() - start });
      return write();
    },
  });
  const start = clock.now();
  return {
    clock,
    batches,
    batcher,
    writeBy: (way: () => Promise<void>) => {
      write = way;
    },
  };
}

const fails = () => Promise.reject(new Error('full'));

describe('a write batcher', () => {
  it('writes what comes within 20 ms in one batch, and nothing before or afterwards', async () => {
    const { clock, batches, batcher } = batching();
    batcher.add(1);
    await clock.advance(19);
    batcher.add(2);
    expect(batches).toEqual([]);
    await clock.advance(1);
    expect(batches).toEqual([{ items: [1, 2], at: 20 }]);
    await clock.advance(10_000);
    expect([batches.length, clock.pending]).toEqual([1, 0]);
  });

  it('writes many at once together with queued items, and later items after them', async () => {
    const { clock, batches, batcher, writeBy } = batching();
    batcher.add(1);
    let end = () => {};
    const ends = new Promise<void>((resolve) => {
      end = resolve;
    });
    writeBy(() => ends);
    const written = batcher.addAll([2, 3]);
    await clock.advance(0);
    const next = batcher.addAll([4]);
    await clock.advance(1_000);
    expect(batches).toEqual([{ items: [1, 2, 3], at: 0 }]);
    end();
    expect(await written).toBe(true);
    expect(await next).toBe(true);
    expect(batches[1]?.items).toEqual([4]);
  });

  it('writes items that can wait with urgent ones, or when they are due', async () => {
    const { clock, batches, batcher } = batching();
    batcher.add(1, 2_000);
    await clock.advance(500);
    batcher.add(2, 2_000);
    batcher.add(3);
    await clock.advance(20);
    expect(batches).toEqual([{ items: [1, 2, 3], at: 520 }]);
    batcher.add(4, 2_000);
    await clock.advance(1_000);
    batcher.add(5, 2_000);
    await clock.advance(999);
    expect(batches).toHaveLength(1);
    await clock.advance(1);
    expect(batches[1]).toEqual({ items: [4, 5], at: 2_520 });
    await clock.advance(10_000);
    expect([batches.length, clock.pending]).toEqual([2, 0]);
  });

  it('gathers the next batch while one is being written, and writes one at a time', async () => {
    const { clock, batches, batcher, writeBy } = batching();
    const writes: (() => void)[] = [];
    writeBy(() => new Promise((resolve) => writes.push(resolve)));
    batcher.add(1);
    await clock.advance(20);
    batcher.add(2);
    await clock.advance(100);
    expect(batches.map(({ items }) => items)).toEqual([[1]]);
    writes[0]?.();
    await clock.advance(0);
    await clock.advance(20);
    expect(batches.map(({ items }) => items)).toEqual([[1], [2]]);
  });

  it('keeps unwritten items, condensed, and retries every 5 s', async () => {
    const { clock, batches, batcher, writeBy } = batching((items) => items.slice(-2));
    writeBy(fails);
    for (const item of [1, 2, 3]) batcher.add(item);
    await clock.advance(20);
    batcher.add(4);
    await clock.advance(4_999);
    expect(batches).toEqual([{ items: [1, 2, 3], at: 20 }]);
    await clock.advance(1);
    writeBy(async () => {});
    await clock.advance(5_000);
    expect(batches.slice(1)).toEqual([
      { items: [2, 3, 4], at: 5_020 },
      { items: [3, 4], at: 10_020 },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('does not retry for each new item after a failure, and condenses the queue', async () => {
    const { clock, batches, batcher, writeBy } = batching((items) => items.slice(-3));
    writeBy(fails);
    expect(await batcher.addAll([1, 2])).toBe(false);
    for (let item = 0; item < 20_000; item += 1) expect(await batcher.addAll([item])).toBe(false);
    expect(batches).toHaveLength(1);
    writeBy(async () => {});
    await clock.advance(5_000);
    expect(batches).toHaveLength(2);
    expect(batches[1]?.items.length).toBeLessThan(6_000);
    expect(batches[1]?.items.at(-1)).toBe(19_999);
    expect(await batcher.addAll([3])).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('flushes the rest after the current write', async () => {
    const { clock, batches, batcher, writeBy } = batching();
    let finish = () => {};
    writeBy(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    batcher.add(1);
    await clock.advance(20);
    batcher.add(2);
    const flushed = batcher.flush();
    writeBy(async () => {});
    finish();
    expect(await flushed).toBe(true);
    expect(batches).toEqual([
      { items: [1], at: 20 },
      { items: [2], at: 20 },
    ]);
    writeBy(fails);
    batcher.add(3);
    expect(await batcher.flush()).toBe(false);
    expect(batches.at(-1)?.items).toEqual([3]);
  });
});
