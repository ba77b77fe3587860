import { describe, expect, it } from 'vitest';
import { toRaw } from '../../../../../electron/engine/jsonrpc/read-message.ts';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { connected, order, scripted } from '../scripted-processes.ts';

const lazy = { start: 'on-demand', idleStop: 1_000 } as const;
const asleep = { status: 'disconnected', asleep: true };

describe('a server that sleeps', () => {
  it('[PB-DEMAND-1] starts with the first call, sleeps without calls, and wakes again', async () => {
    const clock = new FakeClock();
    const { server, call, runs, alive, pass } = scripted(clock);
    server.apply(order('one', lazy));
    await pass(60_000);
    expect(runs).toEqual([]);
    expect(server.state).toMatchObject(asleep);
    const first = call(10);
    expect(server.state.status).toBe('connecting');
    await pass(30);
    expect(await first).toEqual({ by: 'one' });
    // Counted from its last answer, not from its start.
    await pass(999);
    expect(server.state.status).toBe('connected');
    await pass(1);
    expect(server.state).toMatchObject(asleep);
    await pass(30);
    expect(alive()).toEqual([]);
    expect(clock.pending).toBe(0);
    const second = call(10);
    await pass(30);
    expect(await second).toEqual({ by: 'one' });
    expect(server.restarts).toBe(0);
  });

  it('[PB-DEMAND-1] stays awake for a pending call, and for other open work', async () => {
    let isInUse = false;
    const { server, call, pass } = await connected(lazy, { hasOpenWork: () => isInUse });
    const long = call(10_000);
    await pass(9_999);
    expect(server.state.status).toBe('connected');
    await pass(1);
    expect(await long).toEqual({ by: 'one' });
    isInUse = true;
    await pass(60_000);
    expect(server.state.status).toBe('connected');
    isInUse = false;
    await pass(2_000);
    expect(server.state).toMatchObject(asleep);
  });

  it('[PB-DEMAND-1] loses no call that arrives while it falls asleep: it ends, then restarts', async () => {
    for (let after = 0; after <= 31; after++) {
      const { server, call, pass, runs, alive } = await connected(lazy);
      await pass(1_000);
      expect(server.state).toMatchObject(asleep);
      await pass(after);
      const late = call(10);
      await pass(60);
      expect(await late).toEqual({ by: 'one' });
      expect([runs.length, alive().length]).toEqual([2, 1]);
    }
  });

  it('is only woken by calls', async () => {
    const { server, pass } = await connected(lazy);
    const { state } = server;
    if (!('connection' in state)) throw new Error('not connected');
    for (let pings = 0; pings < 10; pings++) {
      state.connection.request('ping');
      state.connection.requestRaw('tools/list');
      await pass(100);
    }
    expect(server.state).toMatchObject(asleep);
  });

  it('falls asleep on request once its calls are answered, unless another arrives', async () => {
    const { server, call, pass, runs, alive } = await connected();
    const last = call(100);
    await pass(1);
    server.sleep();
    expect(server.state).toMatchObject(asleep);
    await pass(99);
    expect(await last).toEqual({ by: 'one' });
    await pass(30);
    expect(alive()).toEqual([]);

    const waking = call(100);
    await pass(50);
    server.sleep();
    const another = call(10);
    expect(server.state.status).toBe('connected');
    await pass(200);
    expect([await waking, await another]).toEqual([{ by: 'one' }, { by: 'one' }]);
    expect(runs.length).toBe(2);
    expect(server.state.status).toBe('connected');
  });

  it('serves a call that was handed its connection just before it was put to sleep', async () => {
    const { server, call, pass, runs } = await connected();
    const { state } = server;
    if (!('connection' in state)) throw new Error('not connected');
    const last = call(100);
    await pass(1);
    server.sleep();
    const request = toRaw({ jsonrpc: '2.0', id: 1, method: '5' });
    const late = state.connection.forward(request, {}).result;
    await pass(5);
    expect((await late).result).toEqual({ by: 'one' });
    await pass(95);
    expect(await last).toEqual({ by: 'one' });
    expect([runs.length, server.state.status]).toEqual([1, 'connected']);
  });

  it('[PB-DEMAND-1] starts once if its lists are unknown, until they are known', async () => {
    const clock = new FakeClock();
    let isUnlisted = true;
    const { server, call, pass, runs } = scripted(clock, { mustListFirst: () => isUnlisted });
    server.apply(order('one', lazy));
    await pass(20);
    expect(server.state.status).toBe('connected');
    // Waits as long as it takes.
    await pass(60_000);
    expect(server.state.status).toBe('connected');
    isUnlisted = false;
    server.markListed();
    expect(server.state).toMatchObject(asleep);
    await pass(60_000);
    expect(runs.length).toBe(1);
    // A changed config may have other tools.
    server.apply(order('two', lazy));
    await pass(20);
    expect(server.state.status).toBe('connected');
    const used = call(10);
    await pass(10);
    expect(await used).toEqual({ by: 'two' });
    // In use now, so it falls asleep like any other.
    server.markListed();
    expect(server.state.status).toBe('connected');
    await pass(1_000);
    expect(server.state).toMatchObject(asleep);
  });

  it('stays awake when a new config could not be started: the old one would be lost', async () => {
    const { server, pass } = await connected(lazy);
    server.apply(order('bad', lazy));
    await pass(10_000);
    expect(server.state.status).toBe('connected');
    server.dismissUpdate();
    await pass(2_000);
    expect(server.state).toMatchObject(asleep);
  });

  it('follows the config: another idle time, none, always awake', async () => {
    const { server, pass, runs } = await connected(lazy);
    server.apply(order('one', { ...lazy, idleStop: 5_000 }));
    await pass(4_000);
    expect(server.state.status).toBe('connected');
    server.apply(order('one', { start: 'on-demand' }));
    await pass(60_000);
    expect(server.state.status).toBe('connected');
    server.sleep();
    await pass(30);
    server.apply(order('one'));
    await pass(20);
    expect([server.state.status, runs.length]).toEqual(['connected', 2]);
  });

  it('shows why it cannot wake', async () => {
    const clock = new FakeClock();
    const { server, call, pass } = scripted(clock);
    server.apply(order('bad', lazy));
    const lost = call(10);
    await pass(600);
    expect(await lost).toEqual({ problem: 'call.server_unavailable' });
    expect(server.state).toMatchObject({
      status: 'error',
      problem: { code: 'server.exited_before_handshake' },
    });
  });
});
