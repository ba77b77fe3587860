import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Hub } from '../../../../electron/engine/engine.ts';
import { HubLifecycle } from '../../../../electron/main/lifecycle/hub-lifecycle.ts';
import { type Problem, ProblemError } from '../../../../shared/error/problem.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { FakeHub } from '../../../helper/fake-hub.ts';
import { hubView, serverView, someProblem } from '../../../helper/views.ts';

function bench() {
  const hub = new FakeHub();
  const clock = new FakeClock();
  const told: (FakeHub | Hub | Problem | undefined)[] = [];
  const state = { starts: 0, start: async (): Promise<Hub> => hub };
  const run = new HubLifecycle({
    start() {
      state.starts += 1;
      return state.start();
    },
    viewWithout: (problems) => hubView({ revision: 0, problems }),
    problems: () => [someProblem('hub.settings_unreadable')],
    after: (milliseconds, action) => clock.after(milliseconds, action),
  });
  run.onSettled((failure) => void told.push(failure));
  run.onRunning((running) => void told.push(running));
  return { hub, clock, told, state, run };
}

/** A start that ends when the test says so. */
function slowStart() {
  let succeed = (_hub: Hub): void => {};
  let fail = (_problem: Problem): void => {};
  const start = () =>
    new Promise<Hub>((resolve, reject) => {
      succeed = resolve;
      fail = (problem) => reject(new ProblemError(problem));
    });
  return { start, succeed: (hub: Hub) => succeed(hub), fail: (problem: Problem) => fail(problem) };
}

const taken = someProblem('hub.already_running');
const startFails = () => Promise.reject(new ProblemError(taken));

describe('the start of the hub', () => {
  it('[PB-APP-1] does not block the app', async () => {
    const { state, clock, run } = bench();
    state.start = slowStart().start;
    run.start();
    expect(run.phase).toBe('starting');
    expect(run.running).toBeUndefined();
    expect(() => run.hub).toThrow('Patchbay is not running.');
    expect(run.view().problems).toMatchObject([{ code: 'hub.settings_unreadable' }]);
    let answered = false;
    const waiting = run.settled(2_000).then((wasStarting) => {
      answered = wasStarting;
    });
    await clock.advance(1_999);
    expect(answered).toBe(false);
    await clock.advance(1);
    await waiting;
    expect(answered).toBe(true);
  });

  it('[PB-APP-1] is reported when it has ended, after its hub', async () => {
    const { hub, clock, told, state, run } = bench();
    run.start();
    run.start();
    expect(await run.settled(2_000)).toBe(true);
    expect(run.phase).toBe('running');
    expect([run.hub, run.running]).toEqual([hub, hub]);
    expect(run.view()).toEqual(hubView({ problems: [someProblem('hub.settings_unreadable')] }));
    expect(state.starts).toBe(1);
    expect(told).toEqual([hub, undefined]);
    expect(clock.pending).toBe(0);
    expect(await run.settled(2_000)).toBe(false);
  });

  it('[PB-APP-1] that fails is a state with its reason, not a crash', async () => {
    const { hub, told, state, run } = bench();
    state.start = startFails;
    run.start();
    await run.settled(2_000);
    expect(run.phase).toBe('failed');
    expect(told).toMatchObject([{ code: 'hub.already_running' }]);
    expect(() => run.hub).toThrow(taken.sentence);
    expect(run.view().problems.map(({ code }) => code)).toEqual([
      'hub.already_running',
      'hub.settings_unreadable',
    ]);
    await run.retry();
    expect(run.phase).toBe('failed');
    state.start = async () => hub;
    await run.retry();
    await run.retry();
    expect(run.phase).toBe('running');
    expect(told).toEqual([taken, taken, hub, undefined]);
    expect(state.starts).toBe(3);
  });

  it('[PB-APP-1] is not undone by a listener that throws, and the others still hear of it', async () => {
    const { hub, told, run } = bench();
    const later: (() => void)[] = [];
    vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((action) => void later.push(action));
    run.onRunning(() => {
      throw new Error('broken');
    });
    run.onRunning(() => void told.push(undefined));
    run.start();
    await run.settled();
    expect(run.running).toBe(hub);
    expect(told).toEqual([hub, undefined, undefined]);
    expect(later).toHaveLength(1);
    expect(later[0]).toThrow('broken');
  });
});

describe('a hub that another one has replaced', () => {
  it('[PB-APP-1] is stopped, and started again by a retry', async () => {
    const { hub, told, state, run } = bench();
    run.start();
    await run.settled();
    const replaced = run.replaced(taken);
    expect(run.running).toBeUndefined();
    await replaced;
    expect(hub.calls).toEqual([['stop']]);
    expect(run.phase).toBe('failed');
    expect(run.view().problems).toContainEqual(taken);
    await run.retry();
    expect(run.running).toBe(hub);
    expect(state.starts).toBe(2);
    expect(told).toEqual([hub, undefined, taken, hub, undefined]);
  });
});

describe('the end of the shell', () => {
  it('[PB-APP-1] stops the hub, which says first what it runs, and of which nothing is left', async () => {
    const { hub, run } = bench();
    hub.serverList = [serverView('a')];
    run.start();
    await run.settled();
    const seen: unknown[] = [];
    await run.stop((running) => void seen.push(running.servers(), [...hub.calls]));
    expect(seen).toEqual([[serverView('a')], []]);
    expect(hub.calls).toEqual([['stop']]);
    expect(run.running).toBeUndefined();
    expect(() => run.hub).toThrow('Patchbay is not running.');
    expect(run.view()).toMatchObject({ revision: 0 });
  });

  it('[PB-APP-1] stops a hub that is still starting once it has started, and nobody hears of it', async () => {
    const { hub, told, state, run } = bench();
    const slow = slowStart();
    state.start = slow.start;
    run.start();
    let stopped = false;
    const stopping = run.stop().then(() => {
      stopped = true;
    });
    await new Promise(setImmediate);
    expect(stopped).toBe(false);
    slow.succeed(hub);
    await stopping;
    expect(hub.calls).toEqual([['stop']]);
    expect(told).toEqual([]);
  });

  it('[PB-APP-1] ends with a start that fails meanwhile', async () => {
    const { hub, told, state, run } = bench();
    const slow = slowStart();
    state.start = slow.start;
    run.start();
    const stopping = run.stop();
    slow.fail(taken);
    await stopping;
    expect([told, hub.calls]).toEqual([[], []]);
  });

  it('[PB-APP-1] [PB-HEAD-1] begins no hub any more, neither a first one nor another try', async () => {
    const { told, state, run } = bench();
    state.start = startFails;
    run.start();
    await run.settled();
    run.close();
    await run.retry();
    await run.stop();
    await run.retry();
    const fresh = bench();
    await fresh.run.stop();
    fresh.run.start();
    expect([state.starts, fresh.state.starts]).toEqual([1, 0]);
    expect([told, fresh.told]).toEqual([[taken], []]);
  });
});

afterEach(() => vi.restoreAllMocks());
