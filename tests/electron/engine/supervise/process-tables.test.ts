import { describe, expect, it } from 'vitest';
import type { ProcessTable } from '../../../../electron/engine/supervise/process-table.ts';
import { createProcessTables } from '../../../../electron/engine/supervise/process-tables.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

function setUp() {
  const clock = new FakeClock();
  const reads: ProcessTable[] = [];
  const tables = createProcessTables(clock, async () => {
    reads.push(new Map());
    return reads.at(-1) ?? new Map();
  });
  return { clock, reads, tables };
}

describe('process tables', () => {
  it('are read once for all who ask at the same time, and anew for who asks later', async () => {
    const { reads, tables } = setUp();
    const [one, other] = await Promise.all([tables.now(), tables.now()]);
    expect(one).toBe(other);
    expect(await tables.now()).not.toBe(one);
    expect(reads).toHaveLength(2);
  });

  it('are never older than the question: who asks while one is read gets the next', async () => {
    const clock = new FakeClock();
    const finish: ((table: ProcessTable) => void)[] = [];
    const tables = createProcessTables(clock, () => new Promise((resolve) => finish.push(resolve)));
    const early = tables.now();
    await expect.poll(() => finish.length).toBe(1);
    const late = tables.now();
    finish[0]?.(new Map());
    await expect.poll(() => finish.length).toBe(2);
    finish[1]?.(new Map());
    expect(await late).not.toBe(await early);
  });

  it('are read at once for the first server that connects, and once for all others of that moment', async () => {
    const { clock, reads, tables } = setUp();
    await tables.soon();
    const second = tables.soon();
    await clock.advance(150);
    const third = tables.soon();
    expect(reads).toHaveLength(1);
    await clock.advance(50);
    expect(await second).toBe(await third);
    expect(reads).toHaveLength(2);
    await clock.advance(200);
    await tables.soon();
    expect(reads).toHaveLength(3);
  });

  it('are read again after one that could not be', async () => {
    let fails = true;
    const tables = createProcessTables(new FakeClock(), async () => {
      if (fails) throw new Error('no ps');
      return new Map();
    });
    await expect(tables.now()).rejects.toThrow('no ps');
    fails = false;
    expect(await tables.now()).toEqual(new Map());
  });
});
