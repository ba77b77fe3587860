import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readPidRegistry } from '../../../../../../electron/engine/servers/process/orphans/pid-registry.ts';
import { bundle } from '../../../../../helper/bundle.ts';
import { containerEngine } from '../../../../../helper/container-engine.ts';
import { eventually, harness, order } from '../../harness.ts';

const root = fileURLToPath(new URL('../../../../../..', import.meta.url));
const image = ['server:latest', '--name', 'of-its-own', '--rm'];

function runs(key: string, command: string, options: readonly string[], env = {}) {
  return order(key, 'echo', { target: { command, args: ['run', ...options, ...image], env } });
}

// The stand-in for the container tool is a script that Windows cannot start by its name.
describe.skipIf(process.platform === 'win32')('a container that a server’s command starts', () => {
  it('[PB-PROC-1] ends with it, whatever it ignores; only a name is added to the command', async () => {
    await using engine = await containerEngine();
    await using h = harness({ registryFile: join(engine.folder, 'children.json') });
    h.supervisor.apply([runs('My Server', await engine.tool(), ['-i', '--rm', '-e', 'TOKEN'])]);
    const { connectedAt } = await h.until('My Server', 'connected');
    const [name = ''] = await engine.running();
    expect(name).toMatch(/^patchbay-my-server-[0-9a-f]{8}$/);
    expect(await engine.runs()).toMatchObject([
      { words: ['run', '--name', name, '-i', '--rm', '-e', 'TOKEN', ...image] },
    ]);
    h.supervisor.restart('My Server');
    await h.until('My Server', 'connected', (state) => state.connectedAt > connectedAt);
    expect(await engine.running()).toHaveLength(1);
    expect(await engine.running()).not.toContain(name);
    await h.supervisor.shutdown();
    expect(await engine.running()).toEqual([]);
    expect(await readPidRegistry(join(engine.folder, 'children.json'))).toEqual({
      children: [],
      containers: [],
    });
  });

  it.each([
    ['podman', ['--log-level', 'debug', 'run']],
    ['nerdctl', ['-n', 'tools', 'container', 'run']],
    ['docker', ['--context', 'far', '--tls', 'compose', '-f', 'x.yml', 'run']],
    ['docker-compose', ['-f', 'x.yml', 'run']],
    ['container', ['--debug', 'run']],
  ])('[PB-PROC-1] is one for %s too, by its own options: %j', async (tool, before) => {
    await using engine = await containerEngine();
    await using h = harness();
    const args = [...before, '-i', ...image];
    // Removes what `docker-compose` has started.
    await engine.tool('docker');
    h.supervisor.apply([order('a', 'echo', { target: { command: await engine.tool(tool), args } })]);
    await h.until('a', 'connected');
    const [name = ''] = await engine.running();
    expect(await engine.runs()).toMatchObject([{ words: [...before, '--name', name, '-i', ...image] }]);
    await h.supervisor.shutdown();
    expect(await engine.running()).toEqual([]);
  });

  it.each([
    ['nice', (tool: string) => ['-n', '1', tool, 'run', '-i', ...image]],
    ['timeout', (tool: string) => ['60', tool, 'run', '-i', ...image]],
    ['env', (tool: string) => ['X=1', tool, 'run', '-i', ...image]],
    ['sh', (tool: string) => ['-c', `exec ${tool} run -i ${image.join(' ')}`]],
    ['sh', (tool: string) => ['-c', `cd / && ${tool} run -i ${image.join(' ')}`]],
  ])('[PB-PROC-1] ends too when it is started through %s', async (command, argsOf) => {
    await using engine = await containerEngine();
    await using h = harness({ registryFile: join(engine.folder, 'children.json') });
    h.supervisor.apply([order('a', 'echo', { target: { command, args: argsOf(await engine.tool()) } })]);
    await h.until('a', 'connected');
    const [name = ''] = await engine.running();
    expect(name).toMatch(/^patchbay-a-[0-9a-f]{8}$/);
    await h.supervisor.shutdown();
    expect(await engine.running()).toEqual([]);
  });

  it('[PB-PROC-1] ends too when it runs detached from its command', async () => {
    await using engine = await containerEngine();
    await using h = harness();
    const order = runs('a', await engine.tool(), ['-d']);
    h.supervisor.apply([{ ...order, restart: 'never' }]);
    await h.until('a', 'error');
    await eventually(async () => (await engine.running()).length === 0);
    expect(await engine.runs()).toHaveLength(1);
  });

  it('[PB-PROC-1] keeps the name in its entry, and another container of that name is left alone', async () => {
    await using engine = await containerEngine();
    await using h = harness({ registryFile: join(engine.folder, 'children.json') });
    const command = await engine.tool();
    h.supervisor.apply([runs('a', command, ['--name=mine', '-i'])]);
    await h.until('a', 'connected');
    const [run] = await engine.runs();
    expect(run?.words.slice(0, 2)).toEqual(['run', '--cidfile']);
    h.supervisor.apply([]);
    // A leftover id file would keep the tool from starting.
    const files = async () => (await readdir(engine.folder)).filter((file) => file.endsWith('.cid'));
    await eventually(async () => (await engine.running()).length === 0 && (await files()).length === 0);

    await engine.start('taken');
    h.supervisor.apply([{ ...runs('b', command, ['--name', 'taken', '-i']), restart: 'never' }]);
    await h.until('b', 'error');
    await h.supervisor.shutdown();
    expect(await engine.running()).toEqual(['taken']);
  });

  it('[PB-PROC-1] is found by the id file named in its entry', async () => {
    await using engine = await containerEngine();
    await using h = harness();
    const cidfile = join(engine.folder, 'theirs');
    h.supervisor.apply([runs('a', await engine.tool(), ['--cidfile', cidfile, '-i'])]);
    await h.until('a', 'connected');
    expect(await engine.runs()).toMatchObject([{ words: ['run', '--cidfile', cidfile, '-i', ...image] }]);
    await h.supervisor.shutdown();
    expect(await engine.running()).toEqual([]);
    expect(await readFile(cidfile, 'utf8')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('[PB-PROC-1] of a hub that was killed ends at the next start, as does one that could not be removed', async () => {
    await using engine = await containerEngine();
    const command = await engine.tool();
    const program = await bundle(join(root, 'tests/fixture/supervisor.ts'), engine.folder);
    const ledgerFile = join(engine.folder, 'children.json');
    const target = (options: readonly string[]) =>
      JSON.stringify({
        command,
        args: ['run', ...options, ...image],
        env: { DOCKER_HOST: 'tcp://far', KEY: 'x' },
      });
    const hub = spawn(process.execPath, [
      program,
      ledgerFile,
      'killed',
      target(['-i']),
      target(['--name', 'n', '-i']),
    ]);
    await eventually(async () => (await engine.running()).length === 2);
    await eventually(async () => (await readPidRegistry(ledgerFile)).children.length === 2);
    hub.kill('SIGKILL');
    await once(hub, 'exit');
    expect(await engine.running()).toHaveLength(2);
    const { containers } = await readPidRegistry(ledgerFile);
    expect(containers.map(({ env }) => env)).toEqual(Array(2).fill({ DOCKER_HOST: 'tcp://far' }));

    await engine.set({ broken: true });
    {
      await using h = harness({ registryFile: ledgerFile });
      h.supervisor.apply([runs('a', command, ['-i'])]);
      await h.until('a', 'connected');
      expect(await engine.running()).toHaveLength(1);
    }
    await eventually(async () => (await readPidRegistry(ledgerFile)).containers.length === 3);
    await engine.set({ broken: false });
    await using h = harness({ registryFile: ledgerFile });
    h.supervisor.apply([runs('a', command, ['-i'])]);
    await h.until('a', 'connected');
    expect((await readPidRegistry(ledgerFile)).containers).toHaveLength(1);
  });
});
