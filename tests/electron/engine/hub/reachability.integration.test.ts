import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../electron/engine/base/logger.ts';
import { dataPaths, startHub as openHub } from '../../../../electron/engine/engine.ts';
import { readHubRecord } from '../../../../electron/engine/store/files/instance-lock.ts';
import { eventually } from '../../../helper/eventually.ts';
import { freePort } from '../../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import {
  connectBridge,
  endHub,
  hubListens,
  isConnected,
  namesOf,
  startHub,
  textOf,
} from '../../../helper/running-hub.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

/** A Windows named pipe is not a file, and open files there keep a folder in place. */
const hasFiles = process.platform !== 'win32';

const echo = nodeEntry(fixture('echo'));
const codesOf = (hub: { view(): { readonly problems: readonly { readonly code: string }[] } }) =>
  hub.view().problems.map(({ code }) => code);

/** Waits until the files that bridges look for are those of this process. */
const isReachable = async (dir: string) => {
  await eventually(async () => expect((await readHubRecord(dataPaths(dir).hub))?.pid).toBe(process.pid));
  await hubListens(dir);
};

describe.runIf(hasFiles)('a running hub', () => {
  it.each([
    ['socket', (dir: string) => unlink(dataPaths(dir).socket)],
    ['record', (dir: string) => unlink(dataPaths(dir).hub)],
    ['folder of both', (dir: string) => rm(dataPaths(dir).run, { recursive: true })],
  ])(
    '[PB-BRIDGE-1] is found again after its %s was deleted, and no client is cut off',
    async (_what, lose) => {
      await using hub = await startHub({ a: echo });
      await isConnected(hub, 'a');
      await using early = await hub.bridge();
      await early.callTool({ name: 'a__echo' });
      const { lastGoodConfig } = dataPaths(hub.dir);
      await lose(hub.dir);
      await isReachable(hub.dir);
      await using late = await hub.bridge();
      expect(await namesOf(late)).toEqual(['a__echo', 'a__pid']);
      expect(textOf(await early.callTool({ name: 'a__echo', arguments: { x: 1 } }))).toBe('{"x":1}');
      await eventually(async () =>
        expect(await readFile(lastGoodConfig, 'utf8')).toBe(await readFile(hub.file, 'utf8')),
      );
      expect(hub.engine.view().problems).toEqual([]);
    },
  );

  it.each([
    ['deleted', (dir: string) => rm(dir, { recursive: true })],
    ['moved', (dir: string, aside: string) => rename(dir, aside)],
  ])('[PB-BRIDGE-1] loses no server when its folder is %s, and says so', async (_how, lose) => {
    await using old = await tempDir();
    await using hub = await startHub({ a: echo });
    await isConnected(hub, 'a');
    const config = await readFile(hub.file, 'utf8');
    const token = await readFile(join(hub.dir, 'token'), 'utf8');
    await lose(hub.dir, join(old.path, 'aside'));
    await isReachable(hub.dir);
    await using client = await hub.bridge();
    expect(await namesOf(client)).toEqual(['a__echo', 'a__pid']);
    expect(await readFile(hub.file, 'utf8')).toBe(config);
    expect(await readFile(join(hub.dir, 'token'), 'utf8')).toBe(token);
    await eventually(() => expect(codesOf(hub.engine)).toEqual(['hub.no_data_folder']));
    await eventually(async () => void (await stat(join(hub.dir, 'catalogue.json'))));
    await hub.restart();
    await isConnected(hub, 'a');
    expect(codesOf(hub.engine)).toEqual([]);
  });

  it('[PB-BRIDGE-1] says why its folder cannot be made again, and makes it once it can', async () => {
    await using old = await tempDir();
    await using hub = await startHub({ a: echo });
    await isConnected(hub, 'a');
    await rename(hub.dir, join(old.path, 'aside'));
    await writeFile(hub.dir, 'in the way');
    const problem = expect.objectContaining({ sentence: expect.stringContaining(`${hub.dir} is a file`) });
    await eventually(() => expect(hub.engine.view().problems).toContainEqual(problem));
    await rm(hub.dir);
    await isReachable(hub.dir);
    await eventually(() => expect(codesOf(hub.engine)).toEqual(['hub.no_data_folder']));
  });

  it('[PB-BRIDGE-1] runs what a restored folder has', async () => {
    await using backup = await tempDir();
    await using hub = await startHub({ a: echo });
    await isConnected(hub, 'a');
    await cp(hub.file, join(backup.path, 'mcp.json'));
    await writeFile(join(backup.path, 'mcp.json'), JSON.stringify({ mcpServers: { restored: echo } }));
    await rm(hub.dir, { recursive: true });
    await mkdir(hub.dir);
    await cp(backup.path, hub.dir, { recursive: true });
    await isReachable(hub.dir);
    await isConnected(hub, 'restored');
    expect(Object.keys(JSON.parse(await readFile(hub.file, 'utf8')).mcpServers)).toEqual(['restored']);
  });

  it('[PB-BRIDGE-1] is found again where the socket of a long path was cleaned up', async () => {
    await using folder = await tempDir();
    const dir = join(folder.path, 'long-name'.repeat(12));
    const hub = await openHub(
      { logger: silentLogger, env: async () => process.env },
      { dataDir: dir, version: '0.0.0-test', port: 0 },
    );
    try {
      const { socket } = dataPaths(dir);
      expect(socket.startsWith(dir)).toBe(false);
      await unlink(socket);
      await hubListens(dir);
      await using client = await connectBridge(dir);
      expect(await namesOf(client)).toEqual(['patchbay_status']);
    } finally {
      await hub.stop();
    }
  });

  it('[PB-APP-1] gives way, with a reason, to another hub that got its folder meanwhile', async () => {
    await using folder = await tempDir();
    const dir = join(folder.path, 'data');
    const first = await serve(dir);
    const output = text(first.stderr);
    const exited = once(first, 'exit');
    // Asleep, as on a suspended machine, it cannot be the first to make the folder again.
    first.kill('SIGSTOP');
    await rm(dir, { recursive: true, force: true });
    const second = await serve(dir);
    first.kill('SIGCONT');
    expect(await exited).toEqual([0, null]);
    expect(await output).toContain(`Another Patchbay (process ${second.pid}`);
    await hubListens(dir);
    expect((await readHubRecord(dataPaths(dir).hub))?.pid).toBe(second.pid);
    second.stderr.resume();
    await endHub(second, dir);
  });
});

/** Starts the built program and waits until it has written everything that a start writes. */
async function serve(dir: string) {
  const port = await freePort();
  const hub = spawn(
    process.execPath,
    [programs.patchbay, 'serve', '--data-dir', dir, '--port', String(port)],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  await eventually(async () =>
    expect(await readHubRecord(dataPaths(dir).hub)).toMatchObject({ pid: hub.pid, port }),
  );
  await hubListens(dir);
  return hub;
}
