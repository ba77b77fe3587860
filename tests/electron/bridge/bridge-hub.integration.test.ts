import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { dataPaths, openDataDir } from '../../../electron/engine/store/files/data-dir.ts';
import { askAndEnd } from '../../helper/ask-and-end.ts';
import { loneBridge, runBridge, startBridge } from '../../helper/bridge.ts';
import { eventually } from '../../helper/eventually.ts';
import { freePort } from '../../helper/free-port.ts';
import { until } from '../../helper/gateway.ts';
import { fixture, nodeEntry, programs } from '../../helper/programs.ts';
import { tempDir } from '../../helper/temp-dir.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** Creates a data folder whose hub a bridge can start: `patchbay serve` with one server. */
async function place() {
  const folder = await tempDir();
  const dataDir = join(folder.path, 'data');
  const paths = await openDataDir(dataDir);
  await writeFile(paths.config, JSON.stringify({ mcpServers: { tricky: nodeEntry(fixture('tricky')) } }));
  const serve = [programs.patchbay, 'serve', '--data-dir', dataDir, '--port', String(await freePort())];
  await writeFile(paths.launch, JSON.stringify({ command: process.execPath, args: serve, env: {} }));
  cleanups.push(
    async () => folder[Symbol.asyncDispose](),
    () => endHub(dataDir),
  );
  return { dataDir, program: await loneBridge(folder.path), args: ['--data-dir', dataDir] };
}

async function hubPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(dataPaths(dataDir).hub, 'utf8').catch(() => '{}');
  const { pid } = JSON.parse(text === '' ? '{}' : text) as { readonly pid?: number };
  return pid;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function endHub(dataDir: string): Promise<void> {
  const pid = await hubPid(dataDir);
  if (pid === undefined || !isAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  await until('the end of the hub', () => !isAlive(pid), 10_000);
}

const slow = { name: 'tricky__slow', arguments: { milliseconds: 60_000 } };
const argv = { name: 'tricky__argv' };

describe('the bridge with a real hub', () => {
  it('[PB-BRIDGE-1] starts the hub when it is down, in an empty environment, and leaves it running', async () => {
    const at = await place();
    await using bridge = await startBridge(at.program, at.args);
    await bridge.client.greet();
    const { result } = await bridge.client.request('tools/call', argv);
    expect(JSON.stringify(result)).toContain('[]');
    expect(await bridge.hangUp()).toBe(0);
    const pid = await hubPid(at.dataDir);
    expect(pid !== undefined && isAlive(pid)).toBe(true);
  });

  it('[PB-BRIDGE-1] answers what was asked before its input ended, without a hub and with one', async () => {
    const at = await place();
    const requests = [
      { id: 1, method: 'tools/call', params: argv },
      { id: 2, method: 'tools/list' },
      { id: 3, method: 'tools/call', params: { ...slow, arguments: { milliseconds: 300 } } },
    ];
    for (const _ of ['down', 'up']) {
      const { code, answers } = await askAndEnd([at.program, ...at.args], requests);
      expect([...answers.keys()].sort()).toEqual([1, 2, 3, 'hello']);
      expect([...answers.values()].map(({ error }) => error)).toEqual(Array(4).fill(undefined));
      expect(code).toBe(0);
    }
  });

  it('[PB-BRIDGE-1] settles on one hub when two bridges start at once', async () => {
    const at = await place();
    await using one = await startBridge(at.program, at.args);
    await using two = await startBridge(at.program, at.args);
    await Promise.all([one.client.greet('one'), two.client.greet('two')]);
    const answers = await Promise.all([one, two].map(({ client }) => client.request('tools/call', argv)));
    expect(answers.map(({ error }) => error)).toEqual([undefined, undefined]);
    if (process.platform === 'linux') {
      await eventually(async () => expect(await hubsOf(at.dataDir)).toEqual([await hubPid(at.dataDir)]));
    }
  });

  it('[PB-BRIDGE-1] [NFR-R4] survives a hub killed in the middle of a call', async () => {
    const at = await place();
    await using bridge = await startBridge(at.program, at.args);
    await bridge.client.greet();
    await bridge.client.request('tools/call', argv);
    const call = bridge.client.request('tools/call', slow, 'slow');
    const read = bridge.client.request('resources/read', { uri: 'memo://one' }, 'read');
    await read;
    const killed = await hubPid(at.dataDir);
    if (killed !== undefined) process.kill(killed, 'SIGKILL');
    expect((await call).error).toMatchObject({ data: { code: 'call.outcome_unknown' } });
    const { result } = await bridge.client.request('tools/list');
    expect(result?.tools).toContainEqual(expect.objectContaining({ name: slow.name }));
    expect((await bridge.client.request('tools/call', argv)).result).toBeDefined();
    expect(await hubPid(at.dataDir)).not.toBe(killed);
    await until('the notice', () => bridge.client.notices('notifications/tools/list_changed').length > 0);
    expect(bridge.client.answersTo('slow')).toHaveLength(1);
  });

  it.skipIf(process.platform === 'win32')(
    '[PB-BRIDGE-1] names a hub that runs and does not answer, and takes it back when it does',
    async () => {
      const at = await place();
      await using bridge = await startBridge(at.program, at.args);
      await bridge.client.greet();
      await bridge.client.request('tools/call', argv);
      const pid = await hubPid(at.dataDir);
      if (pid === undefined) throw new Error('no hub');
      process.kill(pid, 'SIGSTOP');
      try {
        const { code, stdout } = await runBridge(at.program, [...at.args, '--doctor']);
        expect(code).toBe(1);
        expect(stdout).toContain(`Patchbay (process ${pid}) is running but does not respond`);
        expect(stdout).toMatch(new RegExp(`what to do +End process ${pid}`));
      } finally {
        process.kill(pid, 'SIGCONT');
      }
      expect((await bridge.client.request('tools/call', argv)).result).toBeDefined();
      const { code, stdout } = await runBridge(at.program, [...at.args, '--doctor']);
      expect([code, stdout]).toEqual([0, expect.stringContaining('nothing, everything works')]);
    },
  );

  // Windows has no way to ask a program without a window to end.
  it.skipIf(process.platform === 'win32')(
    '[PB-BRIDGE-1] does not bring back a hub that was ended while nobody needs it',
    async () => {
      const at = await place();
      await using bridge = await startBridge(at.program, at.args);
      await bridge.client.greet();
      await bridge.client.request('tools/call', argv);
      await endHub(at.dataDir);
      const { result } = await bridge.client.request('tools/list');
      expect(result?.tools).toContainEqual(expect.objectContaining({ name: slow.name }));
      expect((await bridge.client.request('ping')).result).toEqual({});
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      const pid = await hubPid(at.dataDir);
      expect(pid === undefined || !isAlive(pid)).toBe(true);
    },
  );
});

/** Returns the pids of hubs that run on a data folder. */
async function hubsOf(dataDir: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
  const isHub = async (pid: number) => {
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0');
    return words.includes('serve') && words.includes(dataDir);
  };
  const found = await Promise.all(pids.map(isHub));
  return pids.filter((_pid, index) => found[index]);
}
