import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionClosedError } from '../../../../../electron/engine/jsonrpc/message.ts';
import { problem } from '../../../../../shared/error/problem.ts';
import { eventually } from '../../../../helper/eventually.ts';
import { tempDir } from '../../../../helper/temp-dir.ts';
import { clientCall } from '../client-calls.ts';
import { harness, isAlive, order, survivors } from '../harness.ts';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const asleep = ({ asleep }: { asleep?: boolean }) => asleep === true;

describe('a server on demand', () => {
  it('[PB-DEMAND-1] is started by the first call and sleeps when there are none', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'asks-back', { start: 'on-demand', idleStop: 300 })]);
    await pause(100);
    expect(await survivors(h.instanceId)).toEqual([]);
    const pid = Number(await clientCall(h.supervisor, 'a', 'pid'));
    await h.until('a', 'disconnected', asleep);
    await eventually(async () => expect(await survivors(h.instanceId)).toEqual([]));
    expect(Number(await clientCall(h.supervisor, 'a', 'pid'))).not.toBe(pid);
    expect(h.supervisor.servers.get('a')?.restarts).toBe(0);
  });

  it('[PB-DEMAND-1] [NFR-R4] answers every call that arrives just as it falls asleep, from one process at a time', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'asks-back', { start: 'on-demand', idleStop: 40 })]);
    const pids = new Set<string>();
    for (let round = 0; round < 25; round++) {
      pids.add(await clientCall(h.supervisor, 'a', 'pid'));
      await pause(28 + round);
      expect((await survivors(h.instanceId)).length).toBeLessThanOrEqual(1);
    }
    // Some of them woke it; how many found it awake depends on the machine.
    expect(pids.size).toBeGreaterThan(1);
    await h.until('a', 'disconnected', asleep);
    // Each round may start a process.
  }, 600_000);
});

describe('pending calls', () => {
  it('[AG-US6-AC2] [AG-US6-AC3] are answered when their server is turned off, up to a limit', async () => {
    await using h = harness({ timing: { drain: 5_000 } });
    h.supervisor.apply([order('a', 'asks-back')]);
    const { pid = 0 } = await h.until('a', 'connected');
    let letAnswer = () => {};
    const turnedOff = new Promise<void>((resolve) => {
      letAnswer = resolve;
    });
    h.supervisor.serveRequests(async () => {
      await turnedOff;
      return {};
    });
    const short = clientCall(h.supervisor, 'a', 'ask', { milliseconds: 0 });
    const long = clientCall(h.supervisor, 'a', 'ask', { milliseconds: 60_000 });
    long.catch(() => undefined);
    await eventually(() => expect(h.supervisor.servers.get('a')?.activeCalls).toBe(2));
    h.supervisor.apply([order('a', 'asks-back', { enabled: false })]);
    expect(h.supervisor.servers.get('a')?.state.status).toBe('disabled');
    await expect(clientCall(h.supervisor, 'a', 'pid')).rejects.toMatchObject({
      problem: { code: 'call.server_unavailable' },
    });
    letAnswer();
    expect(JSON.parse(await short)).toMatchObject({ pid });
    expect(await isAlive(pid)).toBe(true);
    await expect(long).rejects.toMatchObject({ sent: true });
    await eventually(async () => expect(await isAlive(pid)).toBe(false));
  });

  it('[AG-US6-AC3] are answered when their server is removed, and it keeps serving if that is undone', async () => {
    await using h = harness();
    h.supervisor.serveRequests(async () => ({}));
    h.supervisor.apply([order('a', 'asks-back')]);
    const { pid } = await h.until('a', 'connected');
    const calls = [clientCall(h.supervisor, 'a', 'ask', { milliseconds: 800 })];
    await eventually(() => expect(h.supervisor.servers.get('a')?.activeCalls).toBe(1));
    h.supervisor.apply([]);
    expect(h.supervisor.servers.size).toBe(0);
    h.supervisor.apply([order('a', 'asks-back')]);
    expect(await clientCall(h.supervisor, 'a', 'pid')).toBe(String(pid));
    h.supervisor.apply([]);
    for (const call of calls) expect(JSON.parse(await call)).toMatchObject({ pid });
    await eventually(async () => expect(await survivors(h.instanceId)).toEqual([]));
  });

  it('are awaited before the hub ends, and no new ones are taken', async () => {
    await using h = harness();
    h.supervisor.serveRequests(async () => ({}));
    h.supervisor.apply([order('a', 'asks-back'), order('lazy', 'echo', { start: 'on-demand' })]);
    await h.until('a', 'connected');
    const last = clientCall(h.supervisor, 'a', 'ask', { milliseconds: 500 });
    await eventually(() => expect(h.supervisor.servers.get('a')?.activeCalls).toBe(1));
    const drained = h.supervisor.drain(20_000);
    for (const key of ['a', 'lazy']) {
      await expect(clientCall(h.supervisor, key, 'pid')).rejects.toMatchObject({
        problem: { code: 'call.draining' },
      });
    }
    await drained;
    expect(JSON.parse(await last)).toHaveProperty('pid');
    expect(h.supervisor.servers.get('a')?.activeCalls).toBe(0);
  });

  it('[AG-US6-AC3] are accepted again by all servers when the shutdown is cancelled', async () => {
    await using h = harness();
    h.supervisor.serveRequests(async () => ({}));
    h.supervisor.apply([order('a', 'asks-back'), order('lazy', 'echo', { start: 'on-demand' })]);
    await h.until('a', 'connected');
    const last = clientCall(h.supervisor, 'a', 'ask', { milliseconds: 500 });
    await eventually(() => expect(h.supervisor.servers.get('a')?.activeCalls).toBe(1));
    void h.supervisor.drain(20_000);
    await expect(clientCall(h.supervisor, 'a', 'pid')).rejects.toMatchObject({
      problem: { code: 'call.draining' },
    });
    h.supervisor.resume();
    const pid = await clientCall(h.supervisor, 'a', 'pid');
    expect(JSON.parse(await last)).toMatchObject({ pid: Number(pid) });
    await expect(clientCall(h.supervisor, 'lazy', 'pid')).resolves.toMatch(/^\d+$/);
  });

  it('are not awaited longer than requested', async () => {
    await using h = harness();
    h.supervisor.apply([order('a', 'asks-back')]);
    await h.until('a', 'connected');
    const call = clientCall(h.supervisor, 'a', 'ask', { milliseconds: 60_000 });
    call.catch(() => undefined);
    await eventually(() => expect(h.supervisor.servers.get('a')?.activeCalls).toBe(1));
    await h.supervisor.drain(100);
    expect(h.supervisor.servers.get('a')?.activeCalls).toBe(1);
    await h.supervisor.shutdown();
    await expect(call).rejects.toBeInstanceOf(ConnectionClosedError);
  });
});

describe('a server that does not work', () => {
  it('[NFR-R2] is retried slowly once it has failed too often, and recovers', async () => {
    await using folder = await tempDir();
    const NEEDS = join(folder.path, 'ready');
    await using h = harness({ timing: { slowProbe: 400 } });
    h.supervisor.apply([order('a', 'asks-back', { target: { env: { NEEDS } } })]);
    const { problem: last, nextTryAt } = await h.until('a', 'error');
    expect(last.code).toBe('server.keeps_failing');
    expect(nextTryAt).toBeGreaterThan(Date.now());
    await h.until('a', 'connecting');
    await h.until('a', 'error');
    await writeFile(NEEDS, '');
    // A call shortly before a retry waits for it.
    expect(await clientCall(h.supervisor, 'a', 'pid')).toMatch(/^\d+$/);
    await h.until('a', 'connected');
  });

  it('[NFR-R2] [PB-PROC-1] is restarted when it is given up, and shown as an error until then', async () => {
    await using h = harness({ timing: { backoffInitial: 300 } });
    h.supervisor.apply([order('a', 'stubborn'), order('b', 'echo')]);
    const before = await h.until('a', 'connected');
    const b = await h.until('b', 'connected');
    h.supervisor.fail('a', problem('server.unhealthy', 'It does not answer.', 'Wait.'));
    const state = await h.until('a', 'error', ({ nextTryAt }) => nextTryAt !== undefined);
    expect(state.problem.code).toBe('server.unhealthy');
    const after = await h.until('a', 'connected');
    expect(after.pid).not.toBe(before.pid);
    expect(await isAlive(before.pid ?? 0)).toBe(false);
    expect(h.history.filter((line) => line.startsWith('a'))).toEqual([
      'a connecting',
      'a connected',
      'a error',
      'a connecting',
      'a connected',
    ]);
    expect(h.supervisor.servers.get('b')?.state).toBe(b);
    expect(() => h.supervisor.fail('c', state.problem)).toThrow('no server "c"');
  });
});
