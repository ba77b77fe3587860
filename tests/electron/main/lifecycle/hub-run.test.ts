import { describe, expect, it } from 'vitest';
import { HubRun } from '../../../../electron/main/lifecycle/hub-run.ts';
import { type Problem, ProblemError } from '../../../../shared/error/problem.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { FakeEngine } from '../../../helper/fake-engine.ts';
import { someProblem } from '../../../helper/views.ts';

function bench() {
  const engine = new FakeEngine();
  const clock = new FakeClock();
  const ended: (Problem | undefined)[] = [];
  const hub = new HubRun({
    engine,
    problems: () => [someProblem('hub.settings_unreadable')],
    after: (milliseconds, action) => clock.after(milliseconds, action),
    onStarted: (failure) => void ended.push(failure),
  });
  return { engine, clock, ended, hub };
}

describe('the start of the hub', () => {
  it('[PB-APP-1] does not block the app', async () => {
    const { engine, clock, hub } = bench();
    engine.outcome = () => new Promise(() => {});
    hub.start();
    expect(hub.phase).toBe('starting');
    expect(hub.view().problems).toMatchObject([{ code: 'hub.settings_unreadable' }]);
    let answered = false;
    const waiting = hub.settled(2_000).then(() => {
      answered = true;
    });
    await clock.advance(1_999);
    expect(answered).toBe(false);
    await clock.advance(1);
    await waiting;
  });

  it('[PB-APP-1] is reported when it has ended', async () => {
    const { clock, ended, hub } = bench();
    hub.start();
    hub.start();
    await hub.settled(2_000);
    expect(hub.phase).toBe('running');
    expect(ended).toEqual([undefined]);
    expect(clock.pending).toBe(0);
  });

  it('[PB-APP-1] that fails is a state with its reason, not a crash', async () => {
    const { engine, ended, hub } = bench();
    engine.outcome = () => Promise.reject(new ProblemError(someProblem('hub.already_running')));
    hub.start();
    await hub.settled(2_000);
    expect(hub.phase).toBe('failed');
    expect(ended).toMatchObject([{ code: 'hub.already_running' }]);
    engine.outcome = async () => {};
    await hub.retry();
    expect(hub.phase).toBe('running');
    expect(ended.at(-1)).toBeUndefined();
  });
});
