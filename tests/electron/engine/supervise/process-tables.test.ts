import { describe, expect, it } from 'vitest';
import type { ProcessTable } from '../../../../electron/engine/supervise/process-table.ts';
import { createProcessTables } from '../../../../electron/engine/supervise/process-tables.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';

describe('process tables', () => {
  it('are read once for concurrent callers, and again for later ones', async () => {
    let reads = 0;
    const tables = createProcessTables({
      read: async () => {
        reads++;
        return new Map();
      },
    });
    const [one, other] = await Promise.all([tables.now(), tables.now()]);
    expect(one).toBe(other);
    expect(await tables.now()).not.toBe(one);
    expect(reads).toBe(2);
  });

  it('are read once for all callers within half a second that can wait', async () => {
    const clock = new FakeClock();
    let reads = 0;
    const tables = createProcessTables({
      clock,
      read: async () => {
        reads++;
        return new Map();
      },
    });
    const asked = [tables.soon(), tables.soon()];
    await clock.advance(499);
    asked.push(tables.soon());
    expect(reads).toBe(0);
    await clock.advance(1);
    expect(new Set(await Promise.all(asked)).size).toBe(1);
    expect(reads).toBe(1);
  });

  it('are never older than the call: a call during a reading gets the next one', async () => {
    const finish: ((table: ProcessTable) => void)[] = [];
    const tables = createProcessTables({ read: () => new Promise((resolve) => finish.push(resolve)) });
    const early = tables.now();
    await expect.poll(() => finish.length).toBe(1);
    const late = tables.now();
    finish[0]?.(new Map());
    await expect.poll(() => finish.length).toBe(2);
    finish[1]?.(new Map());
    expect(await late).not.toBe(await early);
  });

  it('are read again after a failure', async () => {
    let fails = true;
    const tables = createProcessTables({
      read: async () => {
        if (fails) throw new Error('no ps');
        return new Map();
      },
    });
    await expect(tables.now()).rejects.toThrow('no ps');
    fails = false;
    expect(await tables.now()).toEqual(new Map());
  });

  it('look for tags only in processes younger than this program', async () => {
    const row = { pid: process.pid, parent: 1, zombie: false, command: 'node', startedAt: 700 };
    const asked: (number | undefined)[] = [];
    const tables = createProcessTables({
      read: async () => new Map([[row.pid, row]]),
      readTags: async (_, startedSince) => {
        asked.push(startedSince);
        return [];
      },
    });
    await Promise.all([tables.tagged(), tables.tagged()]);
    expect(asked).toEqual([700]);
  });
});
