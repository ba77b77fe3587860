import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../electron/engine/base/logger.ts';
import {
  createEnvironmentSource,
  startHub as openHub,
  readLoginEnvironment,
} from '../../../../electron/engine/engine.ts';
import { eventually } from '../../../helper/eventually.ts';
import { fixture } from '../../../helper/programs.ts';
import { tempDir } from '../../../helper/temp-dir.ts';

/** A hub whose servers inherit the environment of a login shell with this start-up file. */
async function startHub(rc: string, mcpServers: unknown) {
  const folder = await tempDir();
  const [shell, startUp, dir] = ['shell', 'rc', 'data'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(shell, `#!/bin/sh\n. "${startUp}"\nfor command; do :; done\neval "$command"\n`);
  await chmod(shell, 0o755);
  await writeFile(startUp, rc);
  await mkdir(dir);
  await writeFile(join(dir, 'mcp.json'), JSON.stringify({ mcpServers }));
  const inherited = { PATH: '/usr/bin:/bin' };
  const environment = createEnvironmentSource({
    read: () => readLoginEnvironment({ inherited, home: folder.path, shell }),
  });
  const env = async () => (await environment.reading()).env;
  const engine = await openHub(
    { logger: silentLogger, env, environment },
    { dataDir: dir, version: '0.0.0-test', port: 0 },
  );
  const view = (key: string) => engine.servers().find((server) => server.key === key);
  return {
    engine,
    folder: folder.path,
    view,
    isOf: (key: string, status: string) => eventually(() => expect(view(key)?.status).toBe(status)),
    changeStartUp: (text: string) => writeFile(startUp, text),
    async [Symbol.asyncDispose]() {
      await engine.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const entry = { command: 'my-node', args: [fixture('echo')] };

describe.runIf(process.platform !== 'win32')('the commands of servers', () => {
  it('are found after they have been installed, when the server is restarted', async () => {
    await using hub = await startHub('', { a: entry });
    await hub.isOf('a', 'error');
    expect(hub.view('a')?.problem?.code).toBe('server.command_not_found');
    const bin = join(hub.folder, 'bin-of-the-installer');
    await mkdir(bin);
    await symlink(process.execPath, join(bin, 'my-node'));
    await hub.changeStartUp(`export PATH="${bin}:$PATH"`);
    await hub.engine.run('server.restart', { key: 'a' });
    await hub.isOf('a', 'connected');
    expect(hub.view('a')?.resolvedCommand).toBe(join(bin, 'my-node'));
  });

  it('are explained with their location, and pinned and unpinned in the config', async () => {
    await using hub = await startHub('', {
      a: { ...entry, disabled: true },
    });
    const bin = join(hub.folder, '.local', 'bin');
    await mkdir(bin, { recursive: true });
    const file = join(bin, 'my-node');
    await symlink(process.execPath, file);
    expect((await hub.engine.run('server.explainCommand', { key: 'a' })).candidates).toEqual([]);
    await hub.engine.run('environment.reload', undefined);
    const told = await hub.engine.run('server.explainCommand', { key: 'a' });
    expect(told).toMatchObject({
      command: 'my-node',
      pinned: false,
      candidates: [{ file, realFile: process.execPath, chosen: true, version: process.versions.node }],
      environment: { source: 'login-shell', shell: join(hub.folder, 'shell') },
    });
    expect(told.searched.find(({ folder }) => folder === bin)?.source).toBe('well-known');
    await hub.engine.run('server.setCommand', { key: 'a', command: file });
    expect(await hub.engine.run('server.explainCommand', { key: 'a' })).toMatchObject({
      command: file,
      pinned: true,
    });
    await hub.engine.run('server.setCommand', { key: 'a', command: 'my-node' });
    expect(await hub.engine.run('server.explainCommand', { key: 'a' })).toMatchObject({
      command: 'my-node',
      pinned: false,
    });
    await expect(hub.engine.run('server.explainCommand', { key: 'b' })).rejects.toMatchObject({
      problem: { code: 'config.unknown_server' },
    });
  });

  it('[PB-CFG-1] have new variables as soon as the environment is read again', async () => {
    const needs = { command: process.execPath, args: [fixture('echo')], env: { NAME: '$NAME_OF_SERVER' } };
    await using hub = await startHub('', { a: needs });
    await hub.isOf('a', 'error');
    await hub.changeStartUp('export NAME_OF_SERVER=ada');
    expect((await hub.engine.run('environment.reload', undefined)).changed).toEqual(['NAME_OF_SERVER']);
    await hub.isOf('a', 'connected');
    await eventually(() => expect(hub.view('a')?.serverInfo?.name).toBe('ada'));
  });
});
