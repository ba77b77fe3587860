import { describe, expect, it } from 'vitest';
import type { Connection, PreparedUpdate } from '../../../../../electron/engine/servers/contract.ts';
import { connected, crashed, order } from '../scripted-processes.ts';

const difference = { added: ['new'], removed: [], changed: [] };

/** Preparations that the test completes. */
function held() {
  const waiting: { resolve: (prepared: PreparedUpdate) => void; reject: (error: Error) => void }[] = [];
  const prepare = (_connection: Connection) =>
    new Promise<PreparedUpdate>((resolve, reject) => waiting.push({ resolve, reject }));
  return { waiting, prepare };
}

const broken = { ...order('broken'), target: { ok: false, problem: crashed } } as const;

describe('a changed config', () => {
  it('[PB-CFG-1] starts beside the old process, and takes over in one turn without losing a call', async () => {
    const turns: string[] = [];
    const { waiting, prepare } = held();
    const { server, call, pass, names, heard } = await connected({}, { prepare });
    const name = () =>
      'connection' in server.state ? String(server.state.connection.handshake.serverInfo.name) : '';
    const during = call(100);
    await pass(1);
    server.apply(order('two'));
    expect(server.update).toMatchObject({ kind: 'starting' });
    await pass(20);
    expect(names()).toEqual(['one', 'two']);
    expect(name()).toBe('one');
    const preparing = call(100);
    waiting[0]?.resolve({ difference, commit: () => void turns.push(`committed while ${name()} serves`) });
    await pass(0);
    expect(turns).toEqual(['committed while two serves']);
    expect(server.update).toMatchObject({ kind: 'done', difference, draining: true });
    const after = call(10);
    await pass(100);
    expect(await Promise.all([during, preparing, after])).toEqual([
      { by: 'one' },
      { by: 'one' },
      { by: 'two' },
    ]);
    await pass(30);
    expect(names()).toEqual(['two']);
    expect(server.update).toMatchObject({ kind: 'done', draining: false });
    expect(heard).toEqual(['connecting', 'connected']);
    expect(server.restarts).toBe(0);
    server.dismissUpdate();
    expect(server.update).toBeUndefined();
  });

  it('[PB-CFG-1] leaves the old process serving when it cannot be started, until it is changed again', async () => {
    const { server, call, pass, names, runs } = await connected();
    server.apply(order('bad'));
    await pass(60);
    expect(server.update).toMatchObject({
      kind: 'failed',
      problem: { code: 'server.exited_before_handshake', fix: expect.stringMatching(/cannot run twice/) },
    });
    expect(server.state.status).toBe('connected');
    server.apply(order('bad'));
    await pass(600_000);
    expect(runs.length).toBe(2);
    const fine = call(1);
    await pass(1);
    expect(await fine).toEqual({ by: 'one' });
    server.apply(order('two'));
    await pass(60);
    expect([names(), server.update?.kind]).toEqual([['two'], 'done']);
  });

  it('[PB-CFG-1] leaves the old process serving when the entry cannot be used at all', async () => {
    const { server, pass, names } = await connected();
    server.apply(broken);
    expect(server.update).toMatchObject({ kind: 'failed', problem: crashed });
    await pass(1_000);
    expect(names()).toEqual(['one']);
    server.dismissUpdate();
    server.apply(broken);
    expect(server.update).toBeUndefined();
    server.apply(order('one'));
    server.apply(broken);
    expect(server.update).toMatchObject({ kind: 'failed' });
    server.restart();
    await pass(30);
    expect(server.state).toMatchObject({ status: 'error', problem: crashed });
  });

  it('is given up when it does not list its tools in time, or refuses to', async () => {
    const { waiting, prepare } = held();
    const { server, pass, names } = await connected({}, { prepare });
    server.apply(order('two'));
    await pass(20);
    await pass(1_000);
    expect(server.update).toMatchObject({ kind: 'failed', problem: { code: 'server.list_failed' } });
    await pass(30);
    expect(names()).toEqual(['one']);
    server.apply(order('three'));
    await pass(20);
    waiting[1]?.reject(new Error('no list'));
    await pass(30);
    expect(server.update).toMatchObject({ kind: 'failed', problem: { code: 'internal' } });
    expect(names()).toEqual(['one']);
  });

  it('replaces the old process anyway when forced', async () => {
    const { server, pass, names, heard } = await connected();
    server.apply(order('bad'));
    await pass(60);
    server.forceUpdate();
    expect(server.update).toBeUndefined();
    await pass(30);
    await pass(50);
    expect(names()).toEqual([]);
    expect(heard).toEqual(['connecting', 'connected', 'connecting', 'disconnected']);
    server.apply(order('two'));
    await pass(60);
    // No update is left to force.
    server.forceUpdate();
    expect([names(), server.state.status]).toEqual([['two'], 'connected']);
  });

  it('is replaced by the next change; of many fast ones only the last is started', async () => {
    const { server, pass, names, runs } = await connected();
    server.apply(order('two'));
    await pass(10);
    for (const name of ['three', 'four', 'five']) server.apply(order(name));
    await pass(29);
    expect(names()).toEqual(['one']);
    await pass(60);
    expect(names()).toEqual(['five']);
    expect(runs.map(({ name }) => name)).toEqual(['one', 'two', 'five']);
  });

  it('is dropped when the config changes back, or when it is dismissed', async () => {
    const { server, pass, names } = await connected();
    server.apply(order('two'));
    await pass(10);
    server.apply(order('one'));
    expect(server.update).toBeUndefined();
    await pass(60);
    expect(names()).toEqual(['one']);
    server.apply(order('two'));
    await pass(10);
    server.dismissUpdate();
    expect(server.update).toBeUndefined();
    server.apply(order('two'));
    await pass(600);
    expect(names()).toEqual(['one']);
    // Returning to it is a new request.
    server.apply(order('three'));
    server.apply(order('two'));
    await pass(90);
    expect(names()).toEqual(['two']);
  });

  it('starts when the old process crashes, and takes over immediately if it is already starting', async () => {
    for (const after of [0, 1, 19, 20]) {
      const { waiting, prepare } = held();
      const { server, call, pass, run, names, runs, heard } = await connected({}, { prepare });
      server.apply(order('two'));
      await pass(after);
      run('one').crash();
      const waits = call(1);
      await pass(60);
      expect(await waits).toEqual({ by: 'two' });
      expect(names()).toEqual(['two']);
      expect(runs.length).toBe(2);
      // Listeners see that another process is connected now.
      expect(heard.slice(-2)).toEqual(['connecting', 'connected']);
      expect(server.update).toBeUndefined();
      // The preparation is too late to count.
      waiting[0]?.resolve({ difference, commit: () => expect.fail('committed') });
      await pass(60_000);
      expect([names(), server.update, server.restarts]).toEqual([['two'], undefined, 0]);
    }
  });

  it('starts when the old process crashes or is given up, even after it has failed', async () => {
    for (const end of ['crash', 'fail'] as const) {
      const { server, pass, run, runs } = await connected();
      server.apply(order('bad'));
      await pass(60);
      if (end === 'crash') run('one').crash();
      else server.fail(crashed);
      await pass(60);
      expect(runs.at(-1)?.name).toBe('bad');
      await pass(600);
      expect(server.state).toMatchObject({ status: 'error' });
      expect(server.update).toBeUndefined();
    }
  });

  it('ends with its server: turned off, removed, or when the hub quits', async () => {
    for (const end of ['off', 'retire', 'end'] as const) {
      const { server, clock, call, pass, alive } = await connected();
      const last = call(50);
      server.apply(order('two'));
      await pass(10);
      if (end === 'off') server.apply(order('two', { enabled: false }));
      else void server[end]();
      expect(server.update).toBeUndefined();
      await pass(100);
      expect(await last).toEqual(end === 'end' ? { unknown: true } : { by: 'one' });
      expect([alive(), clock.pending]).toEqual([[], 0]);
    }
  });

  it('may be changed again while an even older process still answers', async () => {
    const { server, call, pass, names } = await connected();
    const old = [call(1_000)];
    await pass(1);
    for (const name of ['two', 'three']) {
      server.apply(order(name));
      await pass(60);
      old.push(call(500));
      await pass(1);
    }
    expect(names()).toEqual(['one', 'two', 'three']);
    await pass(1_000);
    expect(await Promise.all(old)).toEqual([{ by: 'one' }, { by: 'two' }, { by: 'three' }]);
    await pass(60);
    expect(names()).toEqual(['three']);
  });

  it('delivers its notifications once it is in use, and may only ask for roots before that', async () => {
    const { waiting, prepare } = held();
    const { server, pass, run, notices } = await connected({}, { prepare });
    server.apply(order('two'));
    await pass(20);
    run('two').say('notifications/tools/list_changed');
    run('one').say('notifications/message');
    expect(await run('two').ask('roots/list')).toBe('roots/list');
    await expect(run('two').ask('sampling/createMessage')).rejects.toMatchObject({ code: -32601 });
    expect(notices).toEqual(['one notifications/message']);
    waiting[0]?.resolve({ difference, commit: () => {} });
    await pass(0);
    expect(notices).toEqual(['one notifications/message', 'two notifications/tools/list_changed']);
    expect(await run('two').ask('sampling/createMessage')).toBe('sampling/createMessage');
  });

  it('reports each change of an update as a change of the server', async () => {
    const told: (string | undefined)[] = [];
    const { server, pass } = await connected({}, { onChange: ({ update }) => void told.push(update?.kind) });
    told.length = 0;
    server.apply(order('bad'));
    await pass(60);
    server.apply(order('two'));
    await pass(60);
    server.dismissUpdate();
    expect(told).toEqual(['starting', 'failed', 'starting', 'done', undefined]);
  });
});
