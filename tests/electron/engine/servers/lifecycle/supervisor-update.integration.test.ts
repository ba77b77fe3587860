import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Connection } from '../../../../../electron/engine/servers/contract.ts';
import type { ServerConfig } from '../../../../../electron/engine/servers/server-config.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';
import { clientCall, keepCalling } from '../client-calls.ts';
import { type Harness, harness, isAlive, order, survivors } from '../harness.ts';

const named = (NAME: string, env: Readonly<Record<string, string>> = {}): ServerConfig =>
  order('a', 'asks-back', { target: { env: { NAME, ...env } } });

const nameOf = (h: Harness) => {
  const state = h.supervisor.servers.get('a')?.state;
  return state !== undefined && 'connection' in state
    ? state.connection.handshake.serverInfo.name
    : undefined;
};
const updateOf = (h: Harness) => h.supervisor.servers.get('a')?.update;
const serves = (h: Harness, name: string) => eventually(() => expect(nameOf(h)).toBe(name));

describe('a config that is edited while its server is in use', () => {
  it('[PB-CFG-1] [NFR-R4] takes over without a failed call, edit after edit', async () => {
    await using h = harness();
    h.supervisor.apply([named('v0')]);
    await h.until('a', 'connected');
    const callers = Array.from({ length: 4 }, () => keepCalling(h.supervisor, 'a', 'pid'));
    for (const name of ['v1', 'v2', 'v3', 'v4']) {
      h.supervisor.apply([named(name)]);
      await serves(h, name);
      const { pid } = await h.until('a', 'connected');
      await eventually(() => expect(callers[0]?.answers).toContain(String(pid)));
    }
    const answers = await Promise.all(callers.map((caller) => caller.stop()));
    // All five processes have answered, and no others.
    expect(new Set(answers.flat()).size).toBe(5);
    await eventually(async () => expect(await survivors(h.instanceId)).toHaveLength(1));
    expect(h.history).toEqual(['a connecting', 'a connected']);
    expect(h.supervisor.servers.get('a')?.restarts).toBe(0);
  });

  it("[PB-CFG-1] finishes the old process's calls, including progress and requests in both directions", async () => {
    await using h = harness();
    const said: string[] = [];
    const asked: (Connection | undefined)[] = [];
    h.supervisor.onNotification(({ notification, connection }) =>
      said.push(`${connection?.handshake.serverInfo.name} ${notification.method}`),
    );
    let letAnswer = () => {};
    const updated = new Promise<void>((resolve) => {
      letAnswer = resolve;
    });
    h.supervisor.serveRequests(async (_key, { connection }) => {
      asked.push(connection);
      await updated;
      return { said: 'yes' };
    });
    h.supervisor.apply([named('old')]);
    const { pid, connection } = await h.until('a', 'connected');
    const call = clientCall(h.supervisor, 'a', 'ask', { milliseconds: 1_500 });
    await eventually(() => expect(said).toEqual(['old notifications/progress']));
    h.supervisor.apply([named('new')]);
    await serves(h, 'new');
    expect(updateOf(h)).toMatchObject({ kind: 'done', draining: true });
    expect(h.supervisor.servers.get('a')?.activeCalls).toBe(1);
    expect(await clientCall(h.supervisor, 'a', 'pid')).not.toBe(String(pid));
    letAnswer();
    expect(JSON.parse(await call)).toEqual({ pid, told: { said: 'yes' } });
    expect(asked).toEqual([connection]);
    await eventually(async () => expect(await isAlive(pid ?? 0)).toBe(false));
    await eventually(() => expect(updateOf(h)).toMatchObject({ kind: 'done', draining: false }));
  });

  it('[PB-CFG-1] leaves the old process serving when it is broken, and takes over once it is fixed', async () => {
    await using h = harness();
    h.supervisor.apply([named('good')]);
    const { pid } = await h.until('a', 'connected');
    const caller = keepCalling(h.supervisor, 'a', 'pid');
    h.supervisor.apply([order('a', 'exits-at-once')]);
    await eventually(() =>
      expect(updateOf(h)).toMatchObject({
        kind: 'failed',
        problem: { code: 'server.exited_before_handshake', cause: { subject: 'DATABASE_URL' } },
      }),
    );
    h.supervisor.apply([order('a', 'echo', { target: { command: 'no-such-program' } })]);
    await eventually(() =>
      expect(updateOf(h)).toMatchObject({ kind: 'failed', problem: { code: 'server.command_not_found' } }),
    );
    expect(new Set(await caller.stop())).toEqual(new Set([String(pid)]));
    const evidence = JSON.stringify(updateOf(h));
    expect(evidence).not.toContain('DATABASE_URL');
    h.supervisor.apply([named('mended')]);
    await serves(h, 'mended');
    expect(await clientCall(h.supervisor, 'a', 'pid')).not.toBe(String(pid));
  });

  it('says what to do when the server cannot run twice at the same time, and does it on request', async () => {
    await using folder = await tempDir();
    const LOCK = join(folder.path, 'lock');
    await using h = harness();
    h.supervisor.apply([named('old', { LOCK })]);
    await h.until('a', 'connected');
    h.supervisor.apply([named('new', { LOCK })]);
    await eventually(() =>
      expect(updateOf(h)).toMatchObject({
        kind: 'failed',
        problem: { fix: expect.stringMatching(/cannot run twice/) },
      }),
    );
    expect(nameOf(h)).toBe('old');
    h.supervisor.forceUpdate('a');
    await serves(h, 'new');
    expect(updateOf(h)).toBeUndefined();
    expect(await survivors(h.instanceId)).toHaveLength(1);
  });

  it('is what starts when the old process crashes in the middle of it', async () => {
    await using h = harness();
    h.supervisor.apply([named('old')]);
    const { pid = 0 } = await h.until('a', 'connected');
    h.supervisor.apply([named('new')]);
    process.kill(pid, 'SIGKILL');
    await serves(h, 'new');
    expect(h.supervisor.servers.get('a')?.restarts).toBe(0);
    await eventually(async () => expect(await survivors(h.instanceId)).toHaveLength(1));
  });

  it('[PB-PROC-1] ends both processes with the hub', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'echo')]);
    await h.until('a', 'connected');
    h.supervisor.apply([order('a', 'never-answers')]);
    await eventually(async () => expect(await survivors(h.instanceId)).toHaveLength(2));
    await h.supervisor.shutdown();
    expect(await survivors(h.instanceId)).toEqual([]);
  });
});

describe('a server on trial', () => {
  it('runs beside the current process, is used, and stops', async () => {
    await using h = harness();
    h.supervisor.apply([named('running')]);
    const running = await h.until('a', 'connected');
    const tried = await h.supervisor.tryConfig(named('tried'), async (connection) => {
      const { tools } = (await connection.request('tools/list').result) as { tools: unknown[] };
      expect(await survivors(h.instanceId)).toHaveLength(2);
      return { name: connection.handshake.serverInfo.name, tools: tools.length };
    });
    expect(tried).toEqual({ name: 'tried', tools: 2 });
    expect(await survivors(h.instanceId)).toEqual([running.pid]);
    expect(h.supervisor.servers.get('a')?.state).toBe(running);
  });

  it('reports why it cannot be started, without its secrets', async () => {
    await using h = harness();
    const env = { API_TOKEN: 'hunter2hunter2' };
    const target = { args: ['-e', 'console.error("bad " + process.env.API_TOKEN); process.exit(4)'], env };
    const trial = h.supervisor.tryConfig(order('new', 'echo', { target }), async () => 'fine');
    await expect(trial).rejects.toMatchObject({
      problem: {
        code: 'server.exited_before_handshake',
        evidence: expect.arrayContaining([{ label: 'last stderr lines', value: 'bad •••' }]),
      },
    });
    const problem = { code: 'config.missing_env_var', sentence: 'no X', fix: 'set X', evidence: [] } as const;
    const broken = { ...named('a'), target: { ok: false, problem } } as const;
    await expect(h.supervisor.tryConfig(broken, async () => 'fine')).rejects.toMatchObject({ problem });
    expect(h.supervisor.servers.size).toBe(0);
  });

  it('[PB-PROC-1] ends when its use fails, when it crashes, and with the hub', async () => {
    await using h = harness();
    const tryIt = (use: (connection: Connection) => Promise<unknown>) =>
      h.supervisor.tryConfig(order('a', 'crasher'), use);
    await expect(tryIt(() => Promise.reject(new Error('no list')))).rejects.toMatchObject({
      problem: { code: 'internal' },
    });
    const never = new Promise(() => {});
    const crash = tryIt((connection) => {
      connection.request('tools/call', { name: 'crash' });
      return never;
    });
    await expect(crash).rejects.toMatchObject({ problem: { code: 'server.crashed' } });
    expect(await survivors(h.instanceId)).toEqual([]);
    let isLent = false;
    const last = tryIt(() => {
      isLent = true;
      return never;
    });
    last.catch(() => undefined);
    await eventually(() => expect(isLent).toBe(true));
    await h.supervisor.shutdown();
    expect(await survivors(h.instanceId)).toEqual([]);
    await expect(last).rejects.toMatchObject({ problem: { code: 'call.server_unavailable' } });
    await expect(tryIt(() => never)).rejects.toMatchObject({ problem: { code: 'call.draining' } });
  });
});
