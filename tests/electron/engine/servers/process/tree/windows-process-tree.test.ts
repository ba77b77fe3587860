import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../../../electron/engine/base/clock.ts';
import { silentLogger } from '../../../../../../electron/engine/base/logger.ts';
import { reapOrphans } from '../../../../../../electron/engine/servers/process/orphans/reap-orphans.ts';
import type { ProcessRow } from '../../../../../../electron/engine/servers/process/table/process-row.ts';
import { createProcessTables } from '../../../../../../electron/engine/servers/process/table/process-tables.ts';
import type { KnownProcess } from '../../../../../../electron/engine/servers/process/tree/contract.ts';
import { createWindowsTree } from '../../../../../../electron/engine/servers/process/tree/windows-process-tree.ts';
import {
  hasProcess,
  identitySince,
  windowsIdentity,
} from '../../../../../../electron/engine/store/files/process-identity.ts';
import { eventually } from '../../../../../helper/eventually.ts';

type Row = readonly [pid: number, parent: number, startedAt: number];

const system: Row = [4, 0, 1];

/**
 * Creates a tree whose root, 100, was created at 1,000, over tables that are read in turn; the last one is
 * repeated.
 */
function treeOver(
  tables: readonly (readonly Row[] | 'fails')[],
  { holdsRoot = false, oldest = system, family = [] as readonly KnownProcess[] } = {},
) {
  const left = [...tables];
  const killed: number[] = [];
  const killedTrees: number[] = [];
  const read = async () => {
    const rows = left.length > 1 ? left.shift() : left[0];
    if (rows === 'fails' || rows === undefined) throw new Error('no PowerShell');
    return new Map(
      [oldest, ...rows].map(([pid, parent, startedAt]): [number, ProcessRow] => [
        pid,
        { pid, parent, startedAt, zombie: false, command: 'x.exe' },
      ]),
    );
  };
  const tree = createWindowsTree({
    root: 100,
    identity: windowsIdentity(1_000),
    tables: createProcessTables({ read }),
    family,
    isRootChild: () => holdsRoot,
    system: {
      hasProcess: () => true,
      kill: (pid) => void killed.push(pid),
      killTree: async (pid) => void killedTrees.push(pid),
    },
  });
  const end = async () => {
    await tree.collect();
    await tree.signal('SIGKILL');
    return killed;
  };
  return { tree, end, killedTrees };
}

describe('the processes of a server on Windows', () => {
  it('[PB-PROC-1] are its descendants, also those whose parents have ended', async () => {
    const rows: readonly Row[] = [
      [101, 100, 1_001],
      [102, 101, 1_002],
      [200, 1, 1_000],
    ];
    expect(await treeOver([rows]).end()).toEqual([101, 102]);
  });

  it('[PB-PROC-1] are known to the next hub even if only the last of them is left', async () => {
    const { tree } = treeOver([
      [
        [100, 1, 1_000],
        [101, 100, 1_001],
        [102, 101, 1_002],
      ],
    ]);
    await tree.collectFamily();
    const family = tree.family();
    expect(family.map(({ pid }) => pid)).toEqual([101, 102]);
    const left: readonly Row[] = [[102, 101, 1_002]];
    expect(await treeOver([left]).end()).toEqual([]);
    expect(await treeOver([left], { family }).end()).toEqual([102]);
    expect(await treeOver([[[102, 1, 5_000]]], { family }).end()).toEqual([]);
  });

  it('[PB-PROC-1] are known even if all their ancestors end after they were seen', async () => {
    const before: readonly Row[] = [
      [100, 1, 1_000],
      [101, 100, 1_001],
    ];
    const { tree, end } = treeOver([before, [[102, 101, 1_050]]]);
    await tree.collectFamily();
    expect(await tree.living()).toEqual([100, 101]);
    expect(await end()).toEqual([102]);
  });

  it('[PB-PROC-1] are not those of an unrelated process with a reused pid', async () => {
    const rows: readonly Row[] = [
      [100, 1, 5_000],
      [101, 100, 1_001],
      [300, 100, 5_001],
      // Child of an earlier process with that pid.
      [301, 100, 900],
    ];
    expect(await treeOver([rows]).end()).toEqual([101]);
  });

  it('[PB-PROC-1] are none after a reboot', async () => {
    const oldest: Row = [4, 0, 2_000];
    expect(await treeOver([[[101, 100, 5_000]]], { oldest }).end()).toEqual([]);
  });

  it('[PB-PROC-1] are never this program itself', async () => {
    const rows: readonly Row[] = [
      [101, 100, 1_001],
      [process.pid, 101, 1_002],
    ];
    expect(await treeOver([rows]).end()).toEqual([]);
  });

  it('[PB-PROC-1] are left alone if Windows does not list them, except for a child of this program', async () => {
    const stranger = treeOver(['fails']);
    expect(await stranger.end()).toEqual([]);
    expect(stranger.killedTrees).toEqual([]);
    expect(await stranger.tree.living()).toEqual([]);
    const own = treeOver(['fails'], { holdsRoot: true });
    await own.end();
    expect(own.killedTrees).toEqual([100]);
    expect(await own.tree.living()).toEqual([100]);
  });
});

describe.runIf(process.platform === 'win32')('what a killed hub left behind on Windows', () => {
  it('[PB-PROC-1] is ended though its parent has ended, and nothing else', async () => {
    const stay = 'setInterval(() => {}, 1000)';
    const wraps = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', ${JSON.stringify(stay)}], { detached: true, stdio: 'ignore' });
      console.log(child.pid);
      ${stay}`;
    const since = Date.now();
    const wrapper = spawn(process.execPath, ['-e', wraps], { stdio: ['ignore', 'pipe', 'ignore'] });
    const identity = identitySince(since);
    const innocent = spawn(process.execPath, ['-e', stay], { stdio: 'ignore' });
    const [text] = await once(wrapper.stdout, 'data');
    const inner = Number(String(text));
    wrapper.kill('SIGKILL');
    await once(wrapper, 'exit');
    expect(hasProcess(inner)).toBe(true);
    const record = { key: 'wrapped', pid: wrapper.pid ?? 0, identity };
    const processes = createProcessTables();
    const options = { clock: systemClock, logger: silentLogger, processes, step: 500 };
    expect(await reapOrphans([record], options)).toEqual({ reaped: [record], left: [] });
    await eventually(() => expect(hasProcess(inner)).toBe(false));
    expect(hasProcess(innocent.pid ?? 0)).toBe(true);
    innocent.kill('SIGKILL');
  });
});
