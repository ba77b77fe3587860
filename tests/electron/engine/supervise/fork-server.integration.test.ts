import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../../electron/engine/base/clock.ts';
import { silentLogger } from '../../../../electron/engine/base/logger.ts';
import { ForkServer } from '../../../../electron/engine/supervise/fork-server/fork-server.ts';
import { readProcessTable } from '../../../../electron/engine/supervise/process-table.ts';
import { startProcess } from '../../../../electron/engine/supervise/start-process.ts';
import { processTagVariable } from '../../../../shared/model/loop.ts';
import { bundle } from '../../../helper/bundle.ts';
import { programs } from '../../../helper/programs.ts';
import { tempDir } from '../../../helper/temp-dir.ts';
import { eventually, fixture, type Harness, harness, isAlive, order, survivors } from './harness.ts';

const forkServer = fileURLToPath(programs.forkServer);
const linux = process.platform === 'linux';

/** Starts a server and crashes it, so that it is started a second time. */
async function crashed(h: Harness) {
  h.supervisor.apply([order('a', 'crasher')]);
  const first = await h.until('a', 'connected');
  return { first, again: await crash(h) };
}

async function crash(h: Harness) {
  const before = await h.until('a', 'connected');
  await expect(h.call('a', 'crash')).rejects.toThrow();
  return h.until('a', 'connected', ({ pid }) => pid !== before.pid);
}

async function parentOf(pid: number | undefined): Promise<number | undefined> {
  return (await readProcessTable()).get(pid ?? 0)?.parent;
}

describe.runIf(linux)('a server that has failed', () => {
  it('[PB-PROC-1] is started by the fork server, the first time by the hub', async () => {
    await using h = harness({ forkServer });
    h.supervisor.apply([order('a', 'crasher')]);
    const { pid } = await h.until('a', 'connected');
    expect(await parentOf(pid)).toBe(process.pid);
    const once = await parentOf((await crash(h)).pid);
    expect(once).not.toBe(process.pid);
    // One fork server for all.
    expect(await parentOf((await crash(h)).pid)).toBe(once);
  });

  it('[US1.6] is reported with its exit code and its last output', async () => {
    await using h = harness({ forkServer });
    await crashed(h);
    const lost = h.until('a', 'disconnected');
    await expect(h.call('a', 'crash')).rejects.toThrow();
    expect(JSON.stringify(await lost)).toMatch(/exit code 7.*out of cheese/);
  });

  it('has the same environment as before', async () => {
    await using h = harness({ forkServer });
    h.supervisor.apply([order('a', 'crasher')]);
    const before = await surroundings((await h.until('a', 'connected')).pid);
    const after = await surroundings((await crash(h)).pid);
    expect(after).toEqual(before);
  });

  it('[PB-PROC-1] serves on when the fork server is killed, and is started again when it crashes', async () => {
    await using h = harness({ forkServer });
    const { again } = await crashed(h);
    const server = (await parentOf(again.pid)) ?? 0;
    process.kill(server, 'SIGKILL');
    await eventually(async () => !(await isAlive(server)));
    const connection = await h.supervisor.servers.get('a')?.connection(1_000);
    await connection?.request('tools/list').result;
    expect((await crash(h)).pid).not.toBe(again.pid);
  });

  it('is started by the hub if the fork server cannot be', async () => {
    await using folder = await tempDir();
    await using h = harness({ forkServer: join(folder.path, 'none.mjs') });
    expect(await parentOf((await crashed(h)).again.pid)).toBe(process.pid);
  });

  it('[PB-PROC-1] does not run twice when the fork server is lost while it starts it', async () => {
    await using h = harness({ forkServer: fixture('lossy-fork-server') });
    const { again } = await crashed(h);
    expect(await parentOf(again.pid)).toBe(process.pid);
    expect(await survivors(h.instanceId)).toEqual([again.pid]);
  });
});

/** Everything that a server could notice: folder, group, environment, open sockets, signals and limits. */
async function surroundings(pid: number | undefined) {
  const at = (name: string) => `/proc/${pid}/${name}`;
  const environ = (await readFile(at('environ'), 'utf8')).split('\0');
  const open = await Promise.all(
    (await readdir(at('fd'))).map((name) => readlink(at(`fd/${name}`)).catch(() => '')),
  );
  const flags = ['0', '1', '2'].map(
    async (name) => (await readFile(at(`fdinfo/${name}`), 'utf8')).match(/flags:.*/)?.[0],
  );
  const status = await readFile(at('status'), 'utf8');
  return {
    cwd: await readlink(at('cwd')),
    leads: (await readProcessTable()).get(pid ?? 0)?.group === pid,
    environ: environ.filter((entry) => !entry.startsWith(`${processTagVariable}=`)).sort(),
    runs: environ
      .find((entry) => entry.startsWith(`${processTagVariable}=`))
      ?.split('/')
      .slice(0, -1),
    flags: await Promise.all(flags),
    sockets: open.filter((file) => file.startsWith('socket:')).length,
    signals: status.match(/^(?:Uid|Gid|Groups|Sig(?:Blk|Ign|Cgt)|Umask):.*$/gm),
    limits: await readFile(at('limits'), 'utf8'),
  };
}

describe.runIf(linux)('the fork server', () => {
  const env = { PATH: process.env.PATH ?? '' };
  const shell = (script: string) => ({ file: '/bin/sh', args: ['-c', script], env, cwd: '/' });

  function fork() {
    const server = new ForkServer({
      file: forkServer,
      instanceId: `test ${crypto.randomUUID()}`,
      clock: systemClock,
      logger: silentLogger,
      endRun: async () => {},
    });
    return {
      start: (program: Parameters<typeof startProcess>[0]) => server.start(program, crypto.randomUUID()),
      [Symbol.asyncDispose]: () => server.close(),
    };
  }

  it("loses none of a program's first and last output, in order", async () => {
    await using server = fork();
    const count = 20_000;
    const child = await server.start(shell(`seq ${count}; seq ${count} >&2; exit 3`));
    if (child === undefined) throw new Error('not started');
    const [out, err, exit] = await Promise.all([text(child.stdout), text(child.stderr), child.exited]);
    const all = Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('');
    expect(out === all && err === all).toBe(true);
    expect(exit).toEqual({ code: 3, signal: null });
    await child.drained;
  });

  it('passes on input, the end of input, and the signal that ended a program', async () => {
    await using server = fork();
    const child = await server.start(shell('cat; kill -TERM $$'));
    child?.stdin.end('x'.repeat(300_000));
    if (child === undefined) throw new Error('not started');
    expect((await text(child.stdout.resume())).length).toBe(300_000);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGTERM' });
  });

  it('reports the same as the hub for a program that cannot be started', async () => {
    await using folder = await tempDir();
    await using server = fork();
    const file = join(folder.path, 'program');
    await writeFile(file, '#!/does/not/exist\n', { mode: 0o755 });
    const program = { file, args: [], env, cwd: folder.path };
    const reason = await startProcess(program).catch((error: Error) => error.message);
    expect(reason).toContain('ENOENT');
    await expect(server.start(program)).rejects.toThrow(String(reason));
    expect((await server.start(shell('exit 0')))?.pid).toBeGreaterThan(1);
  });

  it('starts many at once, each with streams of its own', async () => {
    await using server = fork();
    const names = Array.from({ length: 25 }, (_, index) => `program ${index}`);
    const said = names.map(async (name) => {
      const child = await server.start(shell('read -r line; echo "$line"'));
      child?.stdin.end(`${name}\n`);
      return child === undefined ? '' : text(child.stdout.resume());
    });
    expect(await Promise.all(said)).toEqual(names.map((name) => `${name}\n`));
  });
});

describe.runIf(linux)('a hub that is killed while its servers crash again and again', () => {
  it('[PB-PROC-1] leaves neither a fork server nor a server behind', async () => {
    await using folder = await tempDir();
    const root = fileURLToPath(new URL('../../../../', import.meta.url));
    const program = await bundle(join(root, 'tests/fixture/supervisor.ts'), folder.path);
    const instanceId = `test ${crypto.randomUUID()}`;
    const servers = ['crasher', 'crasher', 'crasher'].map(fixture);
    const hub = spawn(
      process.execPath,
      [program, join(folder.path, 'children.json'), instanceId, ...servers],
      {
        env: { ...process.env, EXIT_AFTER_HANDSHAKE: '1', FORK_SERVER: forkServer },
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    await once(hub.stdout, 'data');
    const commandLines = async () =>
      Promise.all(
        (await survivors(instanceId)).map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
      );
    await eventually(async () => (await commandLines()).some((line) => line.includes('fork-server')));
    hub.kill('SIGKILL');
    await once(hub, 'exit');
    await eventually(async () => (await survivors(instanceId)).length === 0);
  });
});
