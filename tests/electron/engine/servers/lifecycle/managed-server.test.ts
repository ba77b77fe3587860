import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../helper/fake-clock.ts';
import { connected, crashed, order, scripted } from '../scripted-processes.ts';

describe('the owner of a server', () => {
  it('[NFR-R2] waits between restarts and says until when', async () => {
    const { clock, pass, server, run } = await connected();
    run('one').crash();
    await pass(30);
    expect(server.state).toMatchObject({
      status: 'disconnected',
      nextTryAt: clock.now() + 500,
      problem: { code: 'server.crashed' },
    });
    await pass(499);
    expect(server.restarts).toBe(0);
    await pass(1);
    expect(server.restarts).toBe(1);
    expect(server.state.status).toBe('connecting');
  });

  it('shows as turned off while the process is still ending, and starts only after its end', async () => {
    const { pass, server, alive, names, heard } = await connected();
    server.apply(order('one', { enabled: false }));
    expect(server.state.status).toBe('disabled');
    server.apply(order('two'));
    await pass(29);
    expect([alive().length, names()]).toEqual([1, []]);
    await pass(1);
    expect(names()).toEqual(['two']);
    await pass(21);
    expect(heard).toEqual(['connecting', 'connected', 'disabled', 'connecting', 'connected']);
  });

  it('[PB-PROC-1] does not start again beside a process that could not be ended', async () => {
    const { pass, server, run, alive } = await connected();
    run('one').left = [4711];
    server.restart();
    await pass(60_000);
    expect(alive()).toEqual([]);
    expect(server.state).toMatchObject({ status: 'error', problem: { code: 'server.stop_failed' } });
    server.restart();
    await pass(21);
    expect(server.state.status).toBe('connected');
  });

  it('[NFR-R2] retries slowly what keeps failing, and immediately when told to', async () => {
    const { clock, pass, server, runs } = await connected();
    for (let crashes = 0; crashes < 6; crashes++) {
      runs.at(-1)?.crash();
      await pass(crashes === 5 ? 30 : 30_000);
    }
    expect(server.state).toMatchObject({
      status: 'error',
      problem: { code: 'server.keeps_failing' },
      nextTryAt: clock.now() + 300_000,
    });
    const { restarts } = server;
    await pass(299_999);
    expect(server.state.status).toBe('error');
    await pass(30);
    expect(server.state.status).toBe('connected');
    expect(server.restarts).toBe(restarts + 1);
    // One more crash does not reset the backoff: it continues as slowly.
    runs.at(-1)?.crash();
    await pass(60);
    expect(server.state).toMatchObject({ status: 'error', nextTryAt: expect.any(Number) });
    server.restart();
    await pass(21);
    expect(server.state.status).toBe('connected');
    expect(server.restarts).toBe(restarts + 1);
  });

  it('[PB-CFG-1] restarts a server in error when an option changes', async () => {
    const { pass, server, run, runs } = await connected({ restart: 'never', options: 'never' });
    run('one').crash();
    await pass(60_000);
    server.apply(order('one', { restart: 'never', options: 'never' }));
    expect([server.state.status, runs.length]).toEqual(['error', 1]);
    server.apply(order('one', { options: 'always' }));
    await pass(21);
    expect([server.state.status, runs.length]).toEqual(['connected', 2]);
    server.apply(order('one', { options: 'another' }));
    await pass(60_000);
    expect(runs.length).toBe(2);
  });

  it('[PB-CFG-1] [NFR-R2] retries a slowly retried server immediately when an option changes', async () => {
    const { pass, server, runs } = await connected();
    for (let crashes = 0; crashes < 6; crashes++) {
      runs.at(-1)?.crash();
      await pass(crashes === 5 ? 30 : 30_000);
    }
    const before = runs.length;
    server.apply(order('one'));
    await pass(60_000);
    expect([server.state.status, runs.length]).toEqual(['error', before]);
    server.apply(order('one', { options: 'another' }));
    await pass(21);
    expect([server.state.status, runs.length]).toEqual(['connected', before + 1]);
  });

  it('retries only when told to if a retry would change nothing', async () => {
    const clock = new FakeClock();
    const { server, runs, pass } = scripted(clock);
    server.apply(order('bad'));
    await pass(700_000);
    expect(runs.length).toBe(2);
    expect(server.state).toMatchObject({
      status: 'error',
      problem: { fix: expect.stringMatching(/click Try now/) },
    });
    expect(server.state).not.toHaveProperty('nextTryAt');
    server.restart();
    await pass(20);
    expect(runs.length).toBe(3);
  });

  it('retries immediately when told to while it waits', async () => {
    const { pass, server, run } = await connected();
    run('one').crash();
    await pass(40);
    expect(server.state).toMatchObject({ status: 'disconnected', nextTryAt: expect.any(Number) });
    server.restart();
    await pass(21);
    expect(server.state.status).toBe('connected');
    expect(server.restarts).toBe(0);
    await pass(60_000);
    expect(server.state.status).toBe('connected');
  });

  it('[NFR-R2] restarts what was given up, once, and shows the problem as an error meanwhile', async () => {
    const { clock, pass, server, call } = await connected();
    const cut = call(10_000);
    await pass(1);
    const problem = { ...crashed, code: 'server.unhealthy' } as const;
    server.fail(problem);
    expect(server.state).toMatchObject({ status: 'error', problem });
    expect(await cut).toEqual({ unknown: true });
    const waiting = call(1);
    await pass(30);
    expect(server.state).toMatchObject({ status: 'error', problem, nextTryAt: clock.now() + 500 });
    await pass(530);
    expect(server.state.status).toBe('connected');
    expect(await waiting).toEqual({ by: 'one' });
    expect(server.restarts).toBe(1);
  });

  it('gives up for good with restart "never"', async () => {
    const { pass, server, alive } = await connected({ restart: 'never' });
    server.fail(crashed);
    expect(server.state).toMatchObject({ status: 'error', problem: { code: 'server.crashed' } });
    await pass(700_000);
    expect(alive()).toEqual([]);
    expect(server.state).not.toHaveProperty('nextTryAt');
  });

  it('[AG-US6-AC2] [AG-US6-AC3] answers pending calls when it is turned off, and takes no new ones', async () => {
    const { pass, server, call, alive } = await connected();
    const calls = [call(100), call(29_000), call(31_000)];
    await pass(1);
    expect(server.activeCalls).toBe(3);
    server.apply(order('one', { enabled: false }));
    expect(server.state.status).toBe('disabled');
    expect(await call(1)).toEqual({ problem: 'call.server_unavailable' });
    await pass(29_000);
    expect(await Promise.all(calls.slice(0, 2))).toEqual([{ by: 'one' }, { by: 'one' }]);
    expect(alive().length).toBe(1);
    await pass(1_000);
    expect(await calls[2]).toEqual({ unknown: true });
    await pass(30);
    expect(alive()).toEqual([]);
  });

  it('[AG-US6-AC3] ends with the last call when it is removed', async () => {
    const { pass, server, call, alive } = await connected();
    const last = call(500);
    await pass(1);
    const gone = server.retire();
    await pass(499);
    expect(await last).toEqual({ by: 'one' });
    await pass(30);
    await gone;
    expect(alive()).toEqual([]);
  });

  it('keeps serving when it is turned on again before its last call is answered', async () => {
    const { pass, server, call, runs } = await connected();
    const last = call(500);
    await pass(1);
    server.apply(order('one', { enabled: false }));
    await pass(100);
    server.apply(order('one'));
    expect(server.state.status).toBe('connected');
    await pass(60_000);
    expect(await last).toEqual({ by: 'one' });
    expect(runs.length).toBe(1);
    expect(server.state.status).toBe('connected');
  });

  it('ends immediately on a restart, whatever it is working on', async () => {
    const { clock, pass, server, call, alive } = await connected();
    const cut = call(500);
    await pass(1);
    server.restart();
    expect(await cut).toEqual({ unknown: true });
    await pass(60);
    expect(server.state.status).toBe('connected');
    expect(alive().length).toBe(1);
    await Promise.all([server.end(), pass(30)]);
    expect(alive()).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('refuses calls when the hub is shutting down, and reports when the last one is answered', async () => {
    const { pass, server, call } = await connected();
    const last = call(500);
    await pass(1);
    let isQuiet = false;
    void server.refuseCalls().then(() => {
      isQuiet = true;
    });
    expect(await call(1)).toEqual({ problem: 'call.draining' });
    await pass(498);
    expect(isQuiet).toBe(false);
    await pass(1);
    expect(isQuiet).toBe(true);
    expect(await last).toEqual({ by: 'one' });
    server.restart();
    const waiting = server.connection(30_000);
    await expect(waiting).rejects.toMatchObject({ problem: { code: 'call.draining' } });
    await pass(60);
    expect(await call(1)).toEqual({ problem: 'call.draining' });
  });
});
