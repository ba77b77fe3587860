import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { connectHub } from '../../../electron/bridge/hub-connection.ts';
import { readPidRegistry } from '../../../electron/engine/servers/process/orphans/pid-registry.ts';
import { dataPaths } from '../../../electron/engine/store/files/data-dir.ts';
import { processIdentity } from '../../../electron/engine/store/files/process-identity.ts';
import type { ProcessUsage } from '../../../shared/model/server/server.ts';
import { eventually } from '../../helper/eventually.ts';
import { RawClient } from '../../helper/gateway.ts';
import { fixture, nodeEntry, realServer } from '../../helper/programs.ts';
import { configText, type Hub, isConnected, startHub, textOf } from '../../helper/running-hub.ts';
import { connectSession, type SessionClient, type Way } from '../../helper/session-clients.ts';
import { statefulRemote } from '../../helper/stateful-remote.ts';
import { tempDir } from '../../helper/temp-dir.ts';
import { withSlashes } from '../../helper/with-slashes.ts';

const entry = (patchbay: object = {}, ...args: string[]) => ({
  ...nodeEntry(fixture('stateful'), ...args),
  // Tools are added to its list during the test.
  patchbay: { isolation: 'per-client', guard: 'off', ...patchbay },
});

/** A hub with the listed server `s`, of which every session has its own instance. */
async function startIsolated(patchbay: object = {}): Promise<Hub> {
  const hub = await startHub({ s: entry(patchbay) });
  await isConnected(hub, 's');
  await eventually(() => expect(hub.server('s').counts.tools).toBe(10));
  return hub;
}

const pidOf = async (session: SessionClient) => Number(await session.call('pid'));
const isGone = (pid: number) => eventually(async () => expect(await processIdentity(pid)).toBeUndefined());

async function crashed(session: SessionClient): Promise<void> {
  await expect(session.call('crash')).rejects.toThrow(/may or may not have taken effect/);
}

describe('a server with a process for each client', () => {
  const ways: readonly (readonly [Way, Way])[] = [
    ['bridge', 'http'],
    ['bridge', 'bridge'],
    ['http', 'one'],
    ['one', 'one'],
  ];

  it.each(ways)('[PB-ISO-1] [PB-PROC-1] is separate for each: %s and %s', async (...ways) => {
    await using hub = await startIsolated();
    await using one = await connectSession(hub, ways[0], 'one');
    await using other = await connectSession(hub, ways[1], 'other');
    expect(hub.server('s').instances).toBe(0);
    const [base, a, b] = [hub.server('s').pid ?? 0, await pidOf(one), await pidOf(other)];
    expect(new Set([base, a, b]).size).toBe(3);
    expect([await one.call('count'), await one.call('count'), await other.call('count')]).toEqual([1, 2, 1]);
    expect(await one.call('who')).toMatchObject({
      clientInfo: { name: 'one', version: '1.0.0' },
      capabilities: { roots: {}, sampling: {} },
      protocolVersion: '2025-11-25',
    });
    expect(await one.call('roots')).toEqual({ roots: [{ uri: 'file:///one' }] });
    expect(await other.call('roots')).toEqual({ roots: [{ uri: 'file:///other' }] });
    expect(await other.call('sample')).toMatchObject({ model: 'other' });
    expect(hub.server('s').instances).toBe(2);
    await one.leave();
    await isGone(a);
    expect(await other.call('count')).toBe(2);
    await eventually(() => expect(hub.server('s').instances).toBe(1));
    await other.leave();
    await isGone(b);
  });

  it('[PB-ISO-1] answers only its own client, in concurrent calls of both', async () => {
    await using hub = await startIsolated();
    await using one = await connectSession(hub, 'bridge', 'one');
    await using other = await connectSession(hub, 'http', 'other');
    // Clients without a list are notified of every change, including the grant made a moment ago.
    const before = await other.tools();
    await other.client.setLoggingLevel('debug');
    const held = Promise.all([one.call('hold'), other.call('hold')]);
    // Calls are cut if the test ends early.
    held.catch(() => undefined);
    await one.call('say', { what: 'for one' });
    await other.call('say', { what: 'for other' });
    expect(await one.call('sample')).toMatchObject({ model: 'one' });
    await eventually(() => expect([one.heard.logs, other.heard.logs]).toEqual([['for one'], ['for other']]));
    const told = other.heard.lists;
    await one.call('grow', { name: 'more' });
    await eventually(() => expect(one.heard.lists).toBeGreaterThan(0));
    expect(await one.tools()).toContain('more');
    expect([await other.tools(), other.heard.lists]).toEqual([before, told]);
    await one.call('release');
    await other.call('release');
    expect(await held).toEqual([0, 0]);
    await eventually(async () => {
      const lines = (await hub.engine.run('server.log', { key: 's' })).lines.map(({ text }) => text);
      expect(lines.some((line) => /^\[one \w{4}\] .*for one/.test(line))).toBe(true);
    });
  });

  it('[PB-ISO-1] [PB-PROC-1] adds one process for each of twenty clients, all counted, all ended with the hub', async () => {
    const hub = await startIsolated();
    const base = hub.server('s').pid;
    const sessions = await Promise.all(
      Array.from({ length: 20 }, (_, index) => connectSession(hub, 'http', `client ${index}`)),
    );
    const pids = await Promise.all(sessions.map(pidOf));
    expect(new Set(pids).size).toBe(20);
    const rounds = sessions.map(async (session) => [
      await session.call('count'),
      await session.call('count'),
    ]);
    expect(await Promise.all(rounds)).toEqual(sessions.map(() => [1, 2]));
    expect(hub.server('s').instances).toBe(20);
    const [usage] = await new Promise<readonly ProcessUsage[]>((resolve) => {
      const subscription = hub.engine.watchUsage((usages) => {
        subscription.dispose();
        resolve(usages);
      });
    });
    const counted = usage?.processes.map(({ pid }) => pid);
    expect(counted).toEqual(expect.arrayContaining([...pids, base]));
    const { children } = await readPidRegistry(`${hub.dir}/run/children.json`);
    expect(children.map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids));
    await hub.engine.stop();
    for (const pid of pids) expect(await processIdentity(pid)).toBeUndefined();
    await Promise.all(sessions.map((session) => session[Symbol.asyncDispose]()));
    await hub[Symbol.asyncDispose]();
  });

  it('[PB-ISO-1] is restarted when it crashes or is killed, without affecting others', async () => {
    await using hub = await startIsolated();
    await using one = await connectSession(hub, 'bridge', 'one');
    await using other = await connectSession(hub, 'http', 'other');
    await other.call('count');
    await one.call('count');
    const killed = await pidOf(one);
    const call = one.call('hold');
    await eventually(() => expect(hub.server('s').activeCalls).toBe(1));
    process.kill(killed, 'SIGKILL');
    await expect(call).rejects.toThrow(/may or may not have taken effect/);
    expect(await one.call('count')).toBe(1);
    expect(await pidOf(one)).not.toBe(killed);
    await crashed(one);
    expect(await one.call('count')).toBe(1);
    expect([await other.call('count'), await other.call('roots')]).toEqual([
      2,
      { roots: [{ uri: 'file:///other' }] },
    ]);
  });

  it('[PB-ISO-1] fails with its reason if the server must not be restarted, without affecting others', async () => {
    await using hub = await startIsolated({ restart: 'never' });
    await using one = await connectSession(hub, 'http', 'one');
    await using other = await connectSession(hub, 'http', 'other');
    await other.call('count');
    await crashed(one);
    await expect(one.call('count')).rejects.toThrow(/not available/);
    expect(await other.call('count')).toBe(2);
  });

  // The held call is released by a signal, which Windows has none of.
  it.skipIf(process.platform === 'win32')(
    '[PB-ISO-1] [PB-CFG-1] follows a changed config once its calls are answered; a new client gets the new one',
    async () => {
      await using hub = await startIsolated();
      await using one = await connectSession(hub, 'http', 'one');
      await one.call('count');
      const before = await pidOf(one);
      const call = one.call('hold');
      await eventually(() => expect(hub.server('s').activeCalls).toBe(1));
      await writeFile(hub.file, configText({ s: entry({}, 'changed') }));
      await using other = await connectSession(hub, 'http', 'other');
      await eventually(async () => expect(await pidOf(one)).not.toBe(before));
      expect(await processIdentity(before)).toBeDefined();
      expect(await one.call('count')).toBe(1);
      expect(await other.call('count')).toBe(1);
      process.kill(before, 'SIGUSR2');
      expect(await call).toBe(1);
      await isGone(before);
    },
  );

  it('[PB-ISO-1] becomes a single shared process when the config says so, and separate again later', async () => {
    await using hub = await startIsolated();
    const base = hub.server('s').pid;
    await using one = await connectSession(hub, 'http', 'one');
    await using other = await connectSession(hub, 'bridge', 'other');
    const own = await pidOf(one);
    await writeFile(hub.file, configText({ s: entry({ isolation: 'shared' }) }));
    await eventually(async () => expect(await pidOf(one)).toBe(base));
    expect(await pidOf(other)).toBe(base);
    await isGone(own);
    await writeFile(hub.file, configText({ s: entry() }));
    await eventually(async () => expect(await pidOf(one)).not.toBe(base));
    expect(new Set([await pidOf(one), await pidOf(other), base, own]).size).toBe(4);
  });

  it('[PB-ISO-1] is refused to a client beyond the limit, by name, until another leaves', async () => {
    await using hub = await startIsolated({ maxInstances: 1 });
    await using one = await connectSession(hub, 'http', 'one');
    await using other = await connectSession(hub, 'http', 'other');
    await one.call('count');
    await expect(other.call('count')).rejects.toThrow(/limit of 1 is reached/);
    await one.leave();
    expect(await other.call('count')).toBe(1);
  });

  it('[PB-ISO-1] [PB-DEMAND-1] sleeps when its client is idle, while others go on; the one that is listed sleeps on demand', async () => {
    await using hub = await startHub({ s: entry({ start: 'on-demand', idleStop: 300 }) });
    await eventually(() => expect(hub.server('s').counts.tools).toBe(10));
    await using one = await connectSession(hub, 'http', 'one');
    const first = await pidOf(one);
    await isGone(first);
    expect(await one.call('count')).toBe(1);
    expect(hub.server('s').instances).toBe(1);
  });

  it('[PB-ISO-1] [PB-BRIDGE-1] outlives the connection of a bridge that comes back, for its own session only', async () => {
    await using hub = await startIsolated();
    const connect = async (session: string) => {
      const path = dataPaths(hub.dir).socket;
      const hello = { version: '0.0.0-test', session };
      const greeting = await connectHub(path, hello, new AbortController().signal);
      if (greeting.kind !== 'connected') throw new Error(greeting.kind);
      const client = await new RawClient(greeting.transport).open();
      await client.greet();
      return client;
    };
    const count = async (client: RawClient) =>
      textOf((await client.request('tools/call', { name: 's__count' })).result);
    const [mine, others] = [randomUUID(), randomUUID()];
    const first = await connect(mine);
    expect([await count(first), await count(first)]).toEqual(['1', '2']);
    await first.close();
    const [again, other] = [await connect(mine), await connect(others)];
    expect([await count(again), await count(other)]).toEqual(['3', '1']);
    // Sent before the hub has noticed the lost connection.
    const third = await connect(mine);
    expect(await count(third)).toBe('4');
    expect(hub.engine.clients()).toHaveLength(2);
    expect(hub.server('s').instances).toBe(2);
  });

  it('[PB-ISO-1] is a session of its own at a server elsewhere, which ends with its client', async () => {
    await using remote = await statefulRemote();
    await using hub = await startHub({ s: { url: remote.url, patchbay: { isolation: 'per-client' } } });
    await isConnected(hub, 's');
    await eventually(() => expect(hub.server('s').counts.tools).toBe(1));
    await using one = await connectSession(hub, 'http', 'one');
    await using other = await connectSession(hub, 'bridge', 'other');
    expect([await one.call('count'), await one.call('count'), await other.call('count')]).toEqual([1, 2, 1]);
    expect(remote.clients()).toEqual(['patchbay', 'one', 'other']);
    await one.leave();
    await eventually(() => expect(remote.clients()).toEqual(['patchbay', 'other']));
    expect(await other.call('count')).toBe(2);
  });

  it('[PB-ISO-1] [PB-PASS-1] that makes tools of what its client can do lists them as in a direct connection', async () => {
    const everything = nodeEntry(realServer('everything'));
    await using hub = await startHub({ s: { ...everything, patchbay: { isolation: 'per-client' } } });
    await isConnected(hub, 's');
    // The shared list has what some clients support.
    const forAll = ['get-roots-list', 'trigger-elicitation-request', 'trigger-sampling-request'];
    await using client = await connectSession(hub, 'one', 'one');
    await eventually(async () => expect(await client.tools()).toEqual(expect.arrayContaining(forAll)));
    await client.client.callTool({ name: 'echo', arguments: { message: 'x' } });
    await eventually(async () => expect(await client.tools()).not.toContain('trigger-elicitation-request'));
    expect(await client.tools()).toEqual(
      expect.arrayContaining(['get-roots-list', 'trigger-sampling-request']),
    );
  });

  for (const patchbay of [{ isolation: 'per-client' }, { start: 'on-demand' }]) {
    it(`[PB-PASS-1] knows the roots of its client at its very first call: ${JSON.stringify(patchbay)}`, async () => {
      await using folder = await tempDir();
      await using hub = await startHub({ s: { ...nodeEntry(realServer('filesystem')), patchbay } });
      await using client = await connectSession(hub, 'bridge', withSlashes(folder.path).replace(/^\//, ''));
      await eventually(async () => expect(await client.tools()).toContain('list_allowed_directories'));
      const resting = 'start' in patchbay ? 'disconnected' : 'connected';
      await eventually(() => expect(hub.server('s').status).toBe(resting));
      const first = await client.client.callTool({ name: 's__list_allowed_directories', arguments: {} });
      expect(textOf(first)).toContain(folder.path);
    });
  }

  it('[PB-PROC-1] ends with a bridge that is killed', async () => {
    await using hub = await startIsolated();
    const session = await connectSession(hub, 'bridge', 'one');
    const pid = await pidOf(session);
    const bridge = session.client.transport;
    process.kill(Number(bridge !== undefined && 'pid' in bridge ? bridge.pid : 0), 'SIGKILL');
    await isGone(pid);
    await session[Symbol.asyncDispose]();
  });
});
