import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readProcessTable } from '../../../../electron/engine/supervise/process-table.ts';
import { bundle } from '../../../helper/bundle.ts';
import { tempDir } from '../../../helper/temp-dir.ts';
import { eventually, fixture, type Harness, harness, isAlive, order, survivors } from './harness.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const linux = process.platform === 'linux';
const posix = process.platform !== 'win32';

/** Reads the pid that a server printed on its stderr. */
async function leftBehind(h: Harness, key: string): Promise<number> {
  const told = () => h.supervisor.servers.get(key)?.log.tail(5).join('\n') ?? '';
  await eventually(() => told().includes('left behind: '));
  return Number(/left behind: (\d+)/.exec(told())?.[1]);
}

describe.runIf(linux)('a process that left the family and session of its server', () => {
  it('[PB-PROC-1] ends with it even if the server crashes as soon as it is connected', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'deserter', { restart: 'never' })]);
    await h.until('a', 'error');
    const pid = await leftBehind(h, 'a');
    await eventually(async () => !(await isAlive(pid)));
  });

  it('[PB-PROC-1] ends with it when it is a daemon that ignores SIGTERM', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'deserter', { target: { env: { STAYS: '1' } } })]);
    await h.until('a', 'connected');
    const pid = await leftBehind(h, 'a');
    await eventually(async () => (await readProcessTable()).get(pid)?.group === pid);
    expect(await isAlive(pid)).toBe(true);
    h.supervisor.apply([order('a', 'deserter', { enabled: false })]);
    await eventually(async () => !(await isAlive(pid)));
  });

  it('[PB-PROC-1] stays while the server runs, and while another one ends', async () => {
    await using h = harness();
    const stays = { target: { env: { STAYS: '1' } } };
    h.supervisor.apply([order('a', 'deserter', stays), order('b', 'deserter', stays)]);
    await Promise.all([h.until('a', 'connected'), h.until('b', 'connected')]);
    const [a, b] = [await leftBehind(h, 'a'), await leftBehind(h, 'b')];
    h.supervisor.apply([order('a', 'deserter', stays)]);
    await eventually(async () => !(await isAlive(b)));
    expect(await isAlive(a)).toBe(true);
  });
});

describe.runIf(posix)('a server that is started by the real npx', () => {
  const npx = order('a', 'npx', {
    target: { command: 'npx', args: ['--no-install', 'mcp-server-everything'], cwd: root },
  });

  it('[PB-PROC-1] ends completely, wrapper and server', async () => {
    await using h = harness();
    h.supervisor.apply([npx]);
    await h.until('a', 'connected');
    // npx, and the server it has started.
    expect((await survivors(h.instanceId)).length).toBeGreaterThanOrEqual(2);
    h.supervisor.apply([]);
    await h.supervisor.shutdown();
    expect(await survivors(h.instanceId)).toEqual([]);
  });

  it('[PB-PROC-1] ends completely when only the wrapper is killed', async () => {
    await using h = harness();
    h.supervisor.apply([{ ...npx, restart: 'never' }]);
    const { pid = 0 } = await h.until('a', 'connected');
    process.kill(pid, 'SIGKILL');
    await h.until('a', 'error');
    await eventually(async () => (await survivors(h.instanceId)).length === 0);
  });
});

describe.runIf(linux)('a hub that is killed at any moment of a start', () => {
  it('[PB-PROC-1] leaves nothing that the next one does not find and end', async () => {
    await using folder = await tempDir();
    const program = await bundle(join(root, 'tests/fixture/supervisor.ts'), folder.path);
    let left = 0;
    const ids: string[] = [];
    const next: Harness[] = [];
    // None of them may be that late, even under load.
    const whenOneRuns = undefined;
    for (const [index, moment] of [...moments(1, 10), whenOneRuns].entries()) {
      const instanceId = `test ${crypto.randomUUID()}`;
      const ledgerFile = join(folder.path, `children-${index}.json`);
      const servers = ['stubborn', 'family', 'stubborn'].map(fixture);
      const hub = spawn(process.execPath, [program, ledgerFile, instanceId, ...servers], {
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      await once(hub.stdout, 'data');
      if (moment === whenOneRuns) await eventually(async () => (await survivors(instanceId)).length > 0);
      else await new Promise((resolve) => setTimeout(resolve, moment));
      hub.kill('SIGKILL');
      await once(hub, 'exit');
      left += (await survivors(instanceId)).length;
      ids.push(instanceId);
      next.push(harness({ registryFile: ledgerFile, instanceId }));
    }
    // A program that was just being started carries its tag only once it runs: the second look finds it.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await eventually(async () => (await Promise.all(ids.map(survivors))).flat().length === 0);
    for (const one of next) await one[Symbol.asyncDispose]();
    expect(left).toBeGreaterThan(0);
  });
});

describe.runIf(linux)('a hub that is killed while its servers crash again and again', () => {
  it('[PB-PROC-1] leaves nothing that the next one does not find and end', async () => {
    await using folder = await tempDir();
    const program = await bundle(join(root, 'tests/fixture/supervisor.ts'), folder.path);
    const instanceId = `test ${crypto.randomUUID()}`;
    const ledgerFile = join(folder.path, 'children.json');
    const starts = join(folder.path, 'starts');
    const looper = { command: process.execPath, args: [fixture('deserter')], env: { STARTS: starts } };
    const servers = Array(3).fill(JSON.stringify(looper));
    const hub = spawn(process.execPath, [program, ledgerFile, instanceId, ...servers], {
      stdio: 'ignore',
    });
    // More than one start each: at least one of them is a restart.
    await eventually(async () => (await readFile(starts, 'utf8').catch(() => '')).length > servers.length);
    hub.kill('SIGKILL');
    await once(hub, 'exit');
    await using _next = harness({ registryFile: ledgerFile, instanceId });
    await eventually(async () => (await survivors(instanceId)).length === 0);
  });
});

/**
 * Returns milliseconds, reproducible by seed: mostly within the short time in which servers are spawned and
 * recorded.
 */
function moments(seed: number, count: number): readonly number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.round((state / 2_147_483_647) ** 2 * 120);
  });
}
