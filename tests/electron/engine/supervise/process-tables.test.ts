import { describe, expect, it } from 'vitest';
import type { ProcessTable } from '../../../../electron/engine/supervise/process-table.ts';
import { createProcessTables } from '../../../../electron/engine/supervise/process-tables.ts';

describe('process tables', () => {
  it('are read once for all who ask at the same time, and anew for who asks later', async () => {
    let reads = 0;
    const tables = createProcessTables(async () => {
      reads++;
      return new Map();
    });
    const [one, other] = await Promise.all([tables.now(), tables.now()]);
    expect(one).toBe(other);
    expect(await tables.now()).not.toBe(one);
    expect(reads).toBe(2);
  });

  it('are never older than the question: who asks while one is read gets the next', async () => {
    const finish: ((table: ProcessTable) => void)[] = [];
    const tables = createProcessTables(() => new Promise((resolve) => finish.push(resolve)));
    const early = tables.now();
    await expect.poll(() => finish.length).toBe(1);
    const late = tables.now();
    finish[0]?.(new Map());
    await expect.poll(() => finish.length).toBe(2);
    finish[1]?.(new Map());
    expect(await late).not.toBe(await early);
  });

  it('are read again after one that could not be', async () => {
    let fails = true;
    const tables = createProcessTables(async () => {
      if (fails) throw new Error('no ps');
      return new Map();
    });
    await expect(tables.now()).rejects.toThrow('no ps');
    fails = false;
    expect(await tables.now()).toEqual(new Map());
  });

  it('look for marks only in what is younger than this program', async () => {
    const row = { pid: process.pid, parent: 1, zombie: false, command: 'node', startedAt: 700 };
    const asked: (number | undefined)[] = [];
    const tables = createProcessTables(
      async () => new Map([[row.pid, row]]),
      async (_, startedSince) => {
        asked.push(startedSince);
        return [];
      },
    );
    await Promise.all([tables.marked(), tables.marked()]);
    expect(asked).toEqual([700]);
  });
});
