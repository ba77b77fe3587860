import { describe, expect, it } from 'vitest';
import {
  descendantsOf,
  membersOf,
  type ProcessRow,
  parsePs,
  readProcessTable,
} from '../../../../electron/engine/supervise/process-table.ts';

const table = (rows: readonly ProcessRow[]) => new Map(rows.map((row) => [row.pid, row]));

describe('the process table', () => {
  it('reads the output of ps on macOS', () => {
    const output = [
      '    1     0     1 Ss     2-03:04:05 /sbin/launchd',
      '  501     1   501 S+       0:01.50 /Applications/My App.app/Contents/MacOS/My App',
      '  502   501   501 Z        0:00.00 (node)',
      '',
    ].join('\n');
    expect(parsePs(output)).toEqual([
      { pid: 1, parent: 0, group: 1, zombie: false, command: 'launchd', cpuSeconds: 183_845 },
      { pid: 501, parent: 1, group: 501, zombie: false, command: 'My App', cpuSeconds: 1.5 },
      { pid: 502, parent: 501, group: 501, zombie: true, command: '(node)', cpuSeconds: 0 },
    ]);
  });

  it.runIf(process.platform !== 'win32')('holds this very process, under its parent', async () => {
    const own = (await readProcessTable()).get(process.pid);
    expect(own).toMatchObject({ pid: process.pid, parent: process.ppid, zombie: false });
    expect(own?.cpuSeconds).toBeGreaterThan(0);
  });

  it('knows living descendants and members of a group, through zombies, and survives a circle', () => {
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
      row(7, 8, 7),
      row(8, 7, 7),
    ]);
    expect(descendantsOf(rows, 2).map(({ pid }) => pid)).toEqual([4]);
    expect(membersOf(rows, 2).map(({ pid }) => pid)).toEqual([2, 5]);
    expect(descendantsOf(rows, 7).map(({ pid }) => pid)).toEqual([8]);
  });
});
