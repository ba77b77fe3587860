import { execFileSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { describe, expect, it } from 'vitest';
import {
  type ProcessRow,
  parsePs,
  parseStat,
  psColumns,
} from '../../../../../../electron/engine/servers/process/table/process-row.ts';
import {
  familiesOf,
  membersOf,
  readProcessTable,
} from '../../../../../../electron/engine/servers/process/table/process-table.ts';

const table = (rows: readonly ProcessRow[]) => new Map(rows.map((row) => [row.pid, row]));

describe('the process table', () => {
  it('reads the output of ps on macOS', () => {
    const output = [
      '    1     0     1 Ss     2-03:04:05 3-00:00:00  12000 /sbin/launchd',
      '  501     1   501 S+       0:01.50       01:30 204800 /Applications/My App.app/Contents/MacOS/My App',
      '  502   501   501 Z        0:00.00       00:02      0 (node)',
      '',
    ].join('\n');
    const now = 1_000_000_000_400;
    const second = 1_000_000_000_000;
    expect(parsePs(output, now)).toEqual([
      {
        ...{ pid: 1, parent: 0, group: 1, zombie: false, command: 'launchd', cpuSeconds: 183_845 },
        ...{ memory: 12_000 * 1024, startedAt: second - 3 * 86_400_000 },
      },
      {
        ...{ pid: 501, parent: 1, group: 501, zombie: false, command: 'My App', cpuSeconds: 1.5 },
        ...{ memory: 204_800 * 1024, startedAt: second - 90_000 },
      },
      {
        ...{ pid: 502, parent: 501, group: 501, zombie: true, command: '(node)', cpuSeconds: 0 },
        ...{ memory: 0, startedAt: second - 2000 },
      },
    ]);
  });

  it('reads a line of /proc on Linux, whatever the command is called', () => {
    const text = `77 (a) b (c)) S 7 70 70 0 -1 4194560 1 2 3 4 150 50 0 0 20 0 1 0 ${2 * 100} 1000 25 184`;
    expect(parseStat(text, { bootTime: 1_000_000, pageSize: 4096 })).toEqual({
      ...{ pid: 77, parent: 7, group: 70, zombie: false, command: 'a) b (c)', cpuSeconds: 2 },
      ...{ memory: 25 * 4096, startedAt: 1_002_000 },
    });
  });

  it.runIf(process.platform !== 'win32')('contains this process, under its parent', async () => {
    const own = (await readProcessTable()).get(process.pid);
    expect(own).toMatchObject({ pid: process.pid, parent: process.ppid, zombie: false });
    expect(own?.cpuSeconds).toBeGreaterThan(0);
    expect(Math.abs((own?.startedAt ?? 0) - performance.timeOrigin)).toBeLessThan(60_000);
  });

  it.runIf(process.platform === 'linux')('agrees with ps', async () => {
    const output = execFileSync('ps', ['-A', '-o', psColumns], { encoding: 'utf8' });
    const told = parsePs(output, Date.now()).find(({ pid }) => pid === process.ppid);
    const own = (await readProcessTable()).get(process.ppid);
    const { cpuSeconds: _, memory = 0, startedAt = 0, ...rest } = told ?? {};
    expect(own).toMatchObject(rest);
    expect(Math.abs((own?.startedAt ?? 0) - startedAt)).toBeLessThan(60_000);
    expect((own?.memory ?? 0) / memory).toBeGreaterThan(0.5);
    expect((own?.memory ?? 0) / memory).toBeLessThan(2);
  });

  it('knows families and members of a group, through zombies, and survives a circle', () => {
    const row = (pid: number, parent: number, group: number, zombie = false): ProcessRow => ({
      pid,
      parent,
      group,
      zombie,
      command: '',
    });
    const rows = table([
      row(2, 1, 2),
      row(3, 2, 2, true),
      row(4, 3, 4),
      row(5, 9, 2),
      row(6, 5, 6),
      row(7, 8, 7),
      row(8, 7, 7),
    ]);
    const family = (root: number) =>
      familiesOf(rows)(root)
        .map(({ pid }) => pid)
        .sort();
    expect(family(2)).toEqual([2, 4, 5, 6]);
    expect(membersOf(rows, 2).map(({ pid }) => pid)).toEqual([2, 5]);
    expect(family(7)).toEqual([7, 8]);
    expect(family(99)).toEqual([]);
  });
});
