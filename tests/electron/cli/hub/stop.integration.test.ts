import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../electron/engine/base/logger.ts';
import {
  dataPaths,
  isFolderTaken,
  startHub as openHub,
  stopOtherHub,
} from '../../../../electron/engine/engine.ts';
import { processIdentity } from '../../../../electron/engine/store/files/process-identity.ts';
import { startReportVariable } from '../../../../shared/model/server/start-report.ts';
import { eventually } from '../../../helper/eventually.ts';
import { freePort } from '../../../helper/free-port.ts';
import { fixture, nodeEntry, programs } from '../../../helper/programs.ts';
import { connectBridge, hubListens, namesOf, startHub } from '../../../helper/running-hub.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

/** Starts a headless hub with a server. */
async function serve(dir: string) {
  const mcpServers = { echo: nodeEntry(fixture('echo')) };
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers }));
  const args = [programs.patchbay, 'serve', '--data-dir', dir, '--port', String(await freePort())];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  await hubListens(dir);
  expect(await isFolderTaken(dir)).toBe(true);
  return child;
}

async function stop(dir: string, ...options: readonly string[]) {
  const args = [programs.patchbay, 'stop', '--data-dir', dir, ...options];
  const child = spawn(process.execPath, args, { timeout: 100_000, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

describe('a hub without a window', () => {
  it.skipIf(process.platform !== 'linux')(
    '[PB-HEAD-1] ends with a sentence where no folder can be created',
    async () => {
      const args = [programs.patchbay, 'serve', '--data-dir', '/proc/none/deeper'];
      const child = spawn(process.execPath, args, {
        stdio: ['ignore', 'ignore', 'pipe'],
        timeout: 60_000,
        killSignal: 'SIGKILL',
      });
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
      expect(said).toContain('The data folder /proc/none/deeper cannot be used');
      expect(code).toBe(1);
    },
  );

  it('[PB-HEAD-1] [PB-APP-1] makes way for another hub, and its clients find that one', async () => {
    await using folder = await tempDir();
    const child = await serve(folder.path);
    const exited = once(child, 'exit');
    await using client = await connectBridge(folder.path);
    await eventually(async () => expect(await namesOf(client)).toContain('echo__echo'));
    const open = () =>
      openHub(
        { logger: silentLogger, env: async () => process.env },
        { dataDir: folder.path, version: '0.0.0-test', port: 0 },
      );
    await expect(open()).rejects.toMatchObject({ problem: { code: 'hub.already_running' } });
    await stopOtherHub(folder.path);
    expect(await exited).toEqual([0, null]);
    const engine = await open();
    try {
      await eventually(() => expect(engine.clients()).toHaveLength(1));
      await client.callTool({ name: 'echo__echo', arguments: { text: 'still here' } });
    } finally {
      await engine.stop();
    }
  });

  it('[PB-HEAD-1] is ended by patchbay stop, which waits for it', async () => {
    await using folder = await tempDir();
    const child = await serve(folder.path);
    const exited = once(child, 'exit');
    expect(await stop(folder.path)).toMatchObject({ code: 0, stderr: '' });
    expect(await exited).toEqual([0, null]);
    const again = await stop(folder.path);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('there is nothing to stop') });
    expect(again.stderr).not.toContain('Start');
  });

  it('[PB-BRIDGE-1] [PB-HEAD-1] stays off with --stay-off: clients keep their list, calls say why, until it is started', async () => {
    await using folder = await tempDir();
    await serve(folder.path);
    await using client = await connectBridge(folder.path);
    await eventually(async () => expect(await namesOf(client)).toContain('echo__echo'));
    const told = await stop(folder.path, '--stay-off');
    expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining('stays off') });
    const call = () => client.callTool({ name: 'echo__echo', arguments: { text: 'here' } });
    for (let round = 0; round < 2; round++) {
      expect(await namesOf(client)).toContain('echo__echo');
      await expect(call()).rejects.toThrow('Patchbay is turned off. Open Patchbay to use this tool.');
    }
    expect(await isFolderTaken(folder.path)).toBe(false);

    const child = await serve(folder.path);
    const exited = once(child, 'exit');
    await eventually(async () => void (await call()));
    expect(existsSync(dataPaths(folder.path).turnedOff)).toBe(false);
    expect((await stop(folder.path)).code).toBe(0);
    await exited;
  });

  it('[PB-HEAD-1] says that nothing ran, and still turns Patchbay off', async () => {
    await using folder = await tempDir();
    expect(await stop(folder.path, '--stay-off')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('was not running'),
    });
    expect(existsSync(dataPaths(folder.path).turnedOff)).toBe(true);
  });

  it('[PB-HEAD-1] does not say that nothing ran where a hub runs that cannot be reached', async () => {
    await using folder = await tempDir();
    const { run, hub, turnedOff } = dataPaths(folder.path);
    await mkdir(run);
    const identity = await processIdentity(process.pid);
    await writeFile(hub, JSON.stringify({ pid: process.pid, identity, startedAt: 0, version: '1' }));
    for (const options of [['--stay-off'], []]) {
      const { code, stdout, stderr } = await stop(folder.path, ...options);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain(`(process ${process.pid}) is running, but cannot be reached`);
    }
    expect(existsSync(turnedOff)).toBe(false);
  });

  it('[PB-BRIDGE-1] [PB-HEAD-1] stays off while a bridge is just starting it, until a person does', async () => {
    await using folder = await tempDir();
    expect((await stop(folder.path, '--stay-off')).code).toBe(0);
    const args = [programs.patchbay, 'serve', '--data-dir', folder.path];
    const env = { ...process.env, [startReportVariable]: 'json' };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('"code":"hub.turned_off"')]);
    expect(existsSync(dataPaths(folder.path).turnedOff)).toBe(true);
    expect(await isFolderTaken(folder.path)).toBe(false);
  });

  it('[PB-HEAD-1] the app cannot be stopped that way', async () => {
    await using hub = await startHub({});
    await expect(stopOtherHub(hub.dir)).rejects.toMatchObject({ problem: { code: 'hub.already_running' } });
  });
});
