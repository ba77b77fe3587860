import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionClosedError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { ancestorsVariable, readAncestors } from '../../../../../shared/model/server/loop.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';
import { eventually, fixture, harness, isAlive, order, survivors } from '../harness.ts';

const evidence = (problem: { evidence: readonly { label: string; value: string }[] }) =>
  Object.fromEntries(problem.evidence.map(({ label, value }) => [label, value]));

const posix = process.platform !== 'win32';
/** Other systems hide which processes carry our mark. */
const showsMarks = process.platform === 'linux';

describe('a server that works', () => {
  it('[FR-003] is started over stdio, initializes and answers', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'echo', { target: { env: { NAME: 'alpha' } } })]);
    const state = await h.until('a', 'connected');
    expect(state.connection.handshake.serverInfo).toMatchObject({ name: 'alpha' });
    expect(state.connection.handshake.protocolVersion).toBe('2025-11-25');
    expect(state.resolvedCommand).toBe(process.execPath);
    expect(await h.call('a', 'echo', { text: 'hi' })).toBe('{"text":"hi"}');
    expect(await h.call('a', 'pid')).toBe(String(state.pid));
  });

  it('[FR-011] gets its env over the inherited one, its folder and its arguments', async () => {
    await using folder = await tempDir();
    const env = { PATH: process.env.PATH, LANG: 'xx_XX', MY_TOKEN: 'not for servers', DROPPED: undefined };
    await using h = harness({ env: async () => env });
    const target = {
      args: [fixture('surroundings'), 'with space', '$HOME', '"quoted"'],
      env: { EXTRA: 'a=b\nc', LANG: 'yy_YY' },
      cwd: folder.path,
    };
    h.supervisor.apply([order('a', 'surroundings', { target })]);
    const seen = JSON.parse(await h.call('a', 'look'));
    expect(seen.args).toEqual(['with space', '$HOME', '"quoted"']);
    expect(seen.cwd).toBe(folder.path);
    expect(seen.env).toMatchObject({ PATH: process.env.PATH, LANG: 'yy_YY', EXTRA: 'a=b\nc' });
    expect(seen.env).not.toHaveProperty('MY_TOKEN');
  });

  it('[EDGE-1] carries the chain of hubs above it in its environment', async () => {
    await using h = harness({ env: async () => ({ ...process.env, [ancestorsVariable]: 'outer%2C1' }) });
    h.supervisor.apply([order('a', 'surroundings')]);
    const seen = JSON.parse(await h.call('a', 'look'));
    expect(readAncestors(seen.env[ancestorsVariable])).toEqual(['outer,1', h.instanceId]);
  });

  it('[PB-PASS-1] has its ping answered and its other requests refused', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'surroundings')]);
    let answers: unknown[] = [];
    await eventually(async () => {
      answers = JSON.parse(await h.call('a', 'look')).answers;
      return answers.length === 2;
    });
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 'p1', result: {} },
      { jsonrpc: '2.0', id: 'r1', error: { code: -32601, message: 'Method not found: roots/list' } },
    ]);
  });

  it.each(['banner', 'pretty-noise'])('is not affected by other output on stdout (%s)', async (name) => {
    await using h = harness();
    h.supervisor.apply([order('a', name)]);
    await h.until('a', 'connected');
    expect(await h.call('a', 'echo', { n: 1 })).toBe('{"n":1}');
    const noise = h.supervisor.servers.get('a')?.log.lines.filter((line) => line.stream === 'stdout');
    expect(noise?.length).toBeGreaterThan(0);
  });

  it('[FR-009] is not slowed or filled by 100 MB of stderr', async () => {
    await using h = harness();
    h.supervisor.apply([order('flood', 'flood'), order('other', 'echo')]);
    await h.until('other', 'connected');
    await h.until('flood', 'connected');
    expect(await h.call('flood', 'echo', {})).toBe('{}');
    const log = h.supervisor.servers.get('flood')?.log;
    await eventually(() => log?.tail(1)[0] === 'the flood is over');
    expect(log?.lines.length).toBeLessThanOrEqual(2000);
    expect(log?.lines.reduce((sum, line) => sum + line.text.length, 0)).toBeLessThanOrEqual(512 * 1024);
  });
});

describe('a server that fails', () => {
  it('[US1.6] is reported with command, exit code and the end of its stderr when it exits immediately', async () => {
    await using h = harness();
    h.supervisor.apply([order('bad', 'exits-at-once')]);
    const { problem } = await h.until('bad', 'error');
    expect(problem.code).toBe('server.exited_before_handshake');
    expect(evidence(problem)).toMatchObject({
      command: 'node exits-at-once.mjs',
      'resolved file': process.execPath,
      'ended with': 'exit code 3',
      'last stderr lines': 'reading settings\nfatal: DATABASE_URL is not set',
    });
    // The same failure twice is no coincidence: there is no third attempt.
    expect(h.history).toEqual(['bad connecting', 'bad disconnected', 'bad connecting', 'bad error']);
  });

  it('[US1.6] is reported with the command and the PATH when there is no such command', async () => {
    await using h = harness({ env: async () => ({ PATH: '/nowhere/bin' }) });
    h.supervisor.apply([order('bad', 'echo', { target: { command: 'no-such-program', args: [] } })]);
    const { problem } = await h.until('bad', 'error');
    expect(problem.code).toBe('server.command_not_found');
    expect(evidence(problem)).toEqual({ command: 'no-such-program', 'searched PATH': '/nowhere/bin' });
    expect(h.history).toEqual(['bad connecting', 'bad error']);
  });

  it.runIf(posix)('is started if its command is found after the environment is read again', async () => {
    await using folder = await tempDir();
    let PATH = '/nowhere/bin';
    let refreshed = 0;
    await using h = harness({
      env: async () => ({ ...process.env, PATH }),
      refreshEnv: async () => {
        refreshed++;
        PATH = folder.path;
        return true;
      },
    });
    const installed = order('a', 'echo', { target: { command: 'my-node' } });
    h.supervisor.apply([installed]);
    const { problem } = await h.until('a', 'error');
    expect(problem.code).toBe('server.command_not_found');
    // Shows the last search, after the environment was read again.
    expect(evidence(problem)['searched PATH']).toBe(folder.path);
    await symlink(process.execPath, join(folder.path, 'my-node'));
    h.supervisor.restart('a');
    expect(await h.until('a', 'connected')).toMatchObject({
      resolvedCommand: join(folder.path, 'my-node'),
    });
    expect(refreshed).toBe(1);
  });

  it('is reported with its missing folder, not its command', async () => {
    await using h = harness();
    h.supervisor.apply([order('bad', 'echo', { target: { cwd: '/nowhere/at/all' } })]);
    const { problem } = await h.until('bad', 'error');
    expect(problem).toMatchObject({ code: 'server.spawn_failed', evidence: [{ value: '/nowhere/at/all' }] });
  });

  it('is given up when it never answers', async () => {
    await using h = harness({ timing: { handshake: 4000 } });
    h.supervisor.apply([order('bad', 'never-answers')]);
    const { problem } = await h.until('bad', 'error');
    expect(problem.code).toBe('server.handshake_timeout');
    expect(evidence(problem)['last stderr lines']).toBe('thinking');
  });

  it.each(['bom', 'garbage'])('is reported as writing something that is no message (%s)', async (kind) => {
    await using h = harness({ timing: { handshake: 4000 } });
    h.supervisor.apply([
      order('bad', 'odd-answers', { target: { args: [fixture('odd-answers'), kind] }, restart: 'never' }),
    ]);
    const { problem } = await h.until('bad', 'error');
    expect(problem.code).toBe('server.handshake_timeout');
    expect(problem.sentence).toMatch(/^The program wrote to its output, but sent no MCP message/);
    const { 'last stdout lines': stdout = '' } = evidence(problem);
    expect(stdout.trim()).not.toBe('');
    expect(stdout.split('\n').length).toBeLessThanOrEqual(12);
  });

  it.runIf(posix)('gets more time while a runner visibly downloads it', async () => {
    await using folder = await tempDir();
    const npx = join(folder.path, 'npx');
    const script = `echo downloading >&2; sleep 3; exec "${process.execPath}" "$@"`;
    await writeFile(npx, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    await using h = harness({ timing: { handshake: 1500, handshakeDownloading: 60_000 } });
    h.supervisor.apply([order('a', 'echo', { target: { command: npx } })]);
    await h.until('a', 'connected');
    expect(h.history).toEqual(['a connecting', 'a connected']);
    h.supervisor.apply([order('b', 'never-answers', { target: { command: npx } })]);
    await h.until('b', 'connecting', ({ pid }) => pid !== undefined);
  });

  it.runIf(posix)('is abandoned even then, at the longer timeout', async () => {
    await using folder = await tempDir();
    const npx = join(folder.path, 'npx');
    await writeFile(npx, '#!/bin/sh\necho downloading >&2; sleep 60\n', { mode: 0o755 });
    await using h = harness({ timing: { handshake: 1500, handshakeDownloading: 3000 } });
    h.supervisor.apply([order('a', 'echo', { target: { command: npx }, restart: 'never' })]);
    const { problem } = await h.until('a', 'error');
    expect(problem.code).toBe('server.handshake_timeout');
    // The timer may be late on a busy machine, and the sentence states the real time.
    expect(Number(/within (\d+) seconds/.exec(problem.sentence)?.[1])).toBeGreaterThanOrEqual(3);
  });

  it.each([
    ['nonsense', 'an unusable answer'],
    ['error', 'no licence'],
  ])('is refused when its first answer is %s', async (GARBAGE, words) => {
    await using h = harness();
    h.supervisor.apply([order('bad', 'garbage', { target: { env: { GARBAGE } } })]);
    const { problem } = await h.until('bad', 'error');
    expect(problem.code).toBe('server.handshake_failed');
    expect(problem.sentence).toContain(words);
  });

  it('[FR-009] [SC-007] harms no other, and is restarted after a crash', async () => {
    await using h = harness();
    h.supervisor.apply([order('bad', 'crasher'), order('good', 'echo')]);
    const before = await h.until('bad', 'connected');
    const good = await h.until('good', 'connected');
    const crash = before.connection.request('tools/call', { name: 'crash' }).result;
    await expect(crash).rejects.toBeInstanceOf(ConnectionClosedError);
    const lost = await h.until('bad', 'disconnected');
    expect(lost.problem).toMatchObject({ code: 'server.crashed' });
    expect(lost.problem && evidence(lost.problem)).toMatchObject({
      'ended with': 'exit code 7',
      'last stderr lines': 'panic: out of cheese',
    });
    const after = await h.until('bad', 'connected');
    expect(after.pid).not.toBe(before.pid);
    expect(h.supervisor.servers.get('bad')?.restarts).toBe(1);
    expect(h.supervisor.servers.get('good')?.state).toBe(good);
    expect(await h.call('good', 'echo', {})).toBe('{}');
  });

  it('stays down after a crash when it says restart never', async () => {
    await using h = harness();
    h.supervisor.apply([order('bad', 'crasher', { restart: 'never' })]);
    const { connection } = await h.until('bad', 'connected');
    connection.request('tools/call', { name: 'crash' });
    const { problem } = await h.until('bad', 'error');
    expect(problem.code).toBe('server.crashed');
    expect(h.supervisor.servers.get('bad')?.restarts).toBe(0);
    await h.supervisor.shutdown();
    // Reported once, although it is known before the last process has ended.
    expect(h.history).toEqual(['bad connecting', 'bad connected', 'bad error', 'bad disabled']);
  });

  it('counts as one that keeps failing after five restarts in a row', async () => {
    await using h = harness();
    h.supervisor.apply([order('bad', 'crasher', { target: { env: { EXIT_AFTER_HANDSHAKE: '1' } } })]);
    const { problem } = await h.until('bad', 'error');
    expect(problem.code).toBe('server.keeps_failing');
    expect(evidence(problem)['ended with']).toBe('exit code 7');
    expect(h.supervisor.servers.get('bad')?.restarts).toBe(5);
    h.supervisor.restart('bad');
    await h.until('bad', 'connecting');
  });

  it('is restarted when it is killed with -9', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'echo')]);
    const before = await h.until('a', 'connected');
    if (before.pid !== undefined) process.kill(before.pid, 'SIGKILL');
    const lost = await h.until('a', 'disconnected');
    expect(lost.problem && evidence(lost.problem)['ended with']).toBe(
      posix ? 'signal SIGKILL' : 'exit code 1',
    );
    const after = await h.until('a', 'connected');
    expect(after.pid).not.toBe(before.pid);
  });

  it('keeps its secrets out of the log and the evidence', async () => {
    await using h = harness();
    const target = {
      args: ['-e', 'console.error("bad token " + process.env.API_TOKEN)'],
      env: { API_TOKEN: 'hunter2hunter2' },
    };
    h.supervisor.apply([order('bad', 'echo', { target })]);
    const { problem } = await h.until('bad', 'error');
    expect(evidence(problem)['last stderr lines']).toBe('bad token •••');
    expect(JSON.stringify([problem, h.supervisor.servers.get('bad')?.log.lines])).not.toContain('hunter2');
  });
});

describe('the end of a server', () => {
  it('[PB-PROC-1] is forced on one that ignores stdin and SIGTERM', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'stubborn')]);
    const { pid = 0 } = await h.until('a', 'connected');
    h.supervisor.apply([order('a', 'stubborn', { enabled: false })]);
    expect(h.supervisor.servers.get('a')?.state.status).toBe('disabled');
    await eventually(async () => !(await isAlive(pid)));
  });

  it('[PB-PROC-1] takes its whole family along: children, orphans and those in a session of their own', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'family')]);
    const family: number[] = JSON.parse(await h.call('a', 'family'));
    expect(await Promise.all(family.map(isAlive))).toEqual(family.map(() => true));
    h.supervisor.apply([]);
    expect(h.supervisor.servers.size).toBe(0);
    await h.supervisor.shutdown();
    expect(await Promise.all(family.map(isAlive))).toEqual(family.map(() => false));
  });

  it('[PB-PROC-1] takes the family along after a crash too, before it restarts', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'family')]);
    const { pid = 0 } = await h.until('a', 'connected');
    const family: number[] = JSON.parse(await h.call('a', 'family'));
    process.kill(pid, 'SIGKILL');
    await h.until('a', 'disconnected');
    await h.until('a', 'connected');
    expect(await Promise.all(family.map(isAlive))).toEqual(family.map(() => false));
  });

  it.each(['echo', 'stubborn'])(
    '[PB-PROC-1] reaches a server behind a wrapper like npx (%s)',
    async (name) => {
      await using h = harness();
      h.supervisor.apply([order('a', 'wrapper', { target: { env: { SERVER: `./${name}.mjs` } } })]);
      await h.until('a', 'connected');
      const real = Number(await h.call('a', 'pid'));
      const { pid = 0 } = await h.until('a', 'connected');
      expect(real).not.toBe(pid);
      process.kill(pid, 'SIGKILL');
      await h.until('a', 'disconnected');
      await h.until('a', 'connected');
      expect(await isAlive(real)).toBe(false);
    },
  );

  it('[PB-PROC-1] comes immediately for one that is still starting', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'never-answers')]);
    await h.until('a', 'connecting', (state) => state.pid !== undefined);
    h.supervisor.apply([order('a', 'never-answers', { enabled: false })]);
    expect(h.supervisor.servers.get('a')?.state.status).toBe('disabled');
    await eventually(async () => (await survivors(h.instanceId)).length === 0);
  });

  it('rejects pending requests immediately', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'stubborn')]);
    const { connection } = await h.until('a', 'connected');
    const pending = connection.request('tools/never').result;
    await pending.catch(() => undefined);
    const call = connection.request('tools/call', { name: 'echo' }).result;
    h.supervisor.apply([]);
    await Promise.allSettled([call]);
    await expect(connection.request('tools/list').result).rejects.toBeInstanceOf(ConnectionClosedError);
  });
});

describe('many requests', () => {
  it('[SC-001] start ten servers in parallel, none waiting for the slowest', async () => {
    await using h = harness();
    const keys = Array.from({ length: 10 }, (_, index) => `s${index}`);
    h.supervisor.apply(keys.map((key) => order(key, key === 's0' ? 'never-answers' : 'echo')));
    await Promise.all(keys.slice(1).map((key) => h.until(key, 'connected')));
    expect(h.supervisor.servers.get('s0')?.state.status).toBe('connecting');
  });

  it.runIf(showsMarks)('[PB-CFG-1] restart only the servers whose fingerprint changed', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'echo'), order('b', 'echo')]);
    const a = await h.until('a', 'connected');
    const b = await h.until('b', 'connected');
    h.supervisor.apply([order('a', 'echo'), order('b', 'echo', { target: { env: { NAME: 'new' } } })]);
    const changed = await h.until('b', 'connected', ({ pid }) => pid !== b.pid);
    expect(changed.connection.handshake.serverInfo).toMatchObject({ name: 'new' });
    expect(h.supervisor.servers.get('a')?.state).toBe(a);
    await eventually(async () => (await survivors(h.instanceId)).length === 2);
  });

  it.runIf(showsMarks)('end in the last one and in one process when a switch is toggled fast', async () => {
    await using h = harness();
    for (let index = 0; index < 41; index++) {
      h.supervisor.apply([order('a', 'echo', { enabled: index % 2 === 0 })]);
      await new Promise((resolve) => setTimeout(resolve, index % 5));
      expect((await survivors(h.instanceId)).length).toBeLessThanOrEqual(1);
    }
    await h.until('a', 'connected');
    await eventually(async () => (await survivors(h.instanceId)).length === 1);
    h.supervisor.apply([order('a', 'echo', { enabled: false })]);
    await eventually(async () => (await survivors(h.instanceId)).length === 0);
  });

  it.runIf(showsMarks)('never run a server twice when it is removed and added again', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'stubborn')]);
    const { pid = 0 } = await h.until('a', 'connected');
    h.supervisor.apply([]);
    h.supervisor.apply([order('a', 'echo')]);
    h.supervisor.apply([]);
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connected');
    expect(await isAlive(pid)).toBe(false);
    expect(await survivors(h.instanceId)).toHaveLength(1);
  });

  it('show the problem of a server whose entry is unusable, and start it once it is fixed', async () => {
    await using h = harness();
    const problem = { code: 'config.missing_env_var', sentence: 'no X', fix: 'set X', evidence: [] } as const;
    h.supervisor.apply([{ ...order('a', 'echo'), target: { ok: false, problem }, fingerprint: 'broken' }]);
    expect(await h.until('a', 'error')).toMatchObject({ problem });
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connected');
  });
});

describe('a connection that is asked for', () => {
  it('waits for a start in progress', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'slow', { target: { env: { DELAY: '300' } } })]);
    const connection = await h.supervisor.servers.get('a')?.connection(60_000);
    expect(connection?.handshake.serverInfo).toMatchObject({ name: 'echo' });
  });

  it('is refused with the reason when none will come', async () => {
    await using h = harness();
    h.supervisor.apply([order('off', 'echo', { enabled: false }), order('bad', 'exits-at-once')]);
    await h.until('bad', 'error');
    const ask = (key: string) => h.supervisor.servers.get(key)?.connection(60_000);
    await expect(ask('off')).rejects.toMatchObject({ problem: { code: 'call.server_unavailable' } });
    await expect(ask('bad')).rejects.toThrow('The server needs DATABASE_URL.');
  });

  it('is refused at the timeout', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'never-answers')]);
    await expect(h.supervisor.servers.get('a')?.connection(50)).rejects.toThrow('still starting');
  });
});
