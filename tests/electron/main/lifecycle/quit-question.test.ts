import { describe, expect, it } from 'vitest';
import { interruptsNothing, quitPlan } from '../../../../electron/main/lifecycle/quit-plan.ts';
import {
  createQuitQuestion,
  type QuitAnswer,
  windowTimeoutMs,
} from '../../../../electron/main/lifecycle/quit-question.ts';
import type { QuitPlan } from '../../../../shared/model/call.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { FakeHub } from '../../../helper/fake-hub.ts';
import { clientView } from '../../../helper/views.ts';

const nobody: QuitPlan = { clients: [], calls: [] };
const somebody: QuitPlan = { clients: [{ id: '1', name: 'claude', lastActiveAt: 1 }], calls: [] };

function bench(plan: QuitPlan, answer: QuitAnswer = 'stay') {
  const clock = new FakeClock();
  const done: unknown[] = [];
  const state = { hears: true, draining: false, quitting: false };
  const ask = createQuitQuestion({
    quit: {
      quit: (pace) => void done.push(pace),
      stay: () => void done.push('stay'),
      get draining() {
        return state.draining;
      },
      get quitting() {
        return state.quitting;
      },
    },
    plan: () => plan,
    askInWindow: (cut) => void done.push(cut),
    windowHears: () => state.hears,
    async askOutside() {
      done.push('outside');
      return answer;
    },
    after: (milliseconds, action) => clock.after(milliseconds, action),
  });
  return { ask, clock, done, state };
}

describe('the question before a quit', () => {
  it('[PB-APP-1] is not asked if nothing would be interrupted', () => {
    const { ask, clock, done } = bench(nobody);
    ask();
    expect(done).toEqual(['now']);
    expect(clock.pending).toBe(0);
  });

  it('[PB-APP-1] is asked in the window, with what would be interrupted, each time', async () => {
    const { ask, clock, done } = bench(somebody);
    ask();
    ask();
    await clock.advance(windowTimeoutMs);
    expect(done).toEqual([somebody, somebody]);
  });

  it('[PB-APP-1] shows the progress if calls are already draining', () => {
    const { ask, done, state } = bench(nobody);
    state.draining = true;
    ask();
    expect(done).toEqual([nobody]);
  });

  it.each<[QuitAnswer, readonly unknown[]]>([
    ['stay', ['stay']],
    ['drain', ['drain']],
    ['now', ['now']],
  ])('[PB-APP-1] is put outside a window that does not come up: %s', async (answer, then) => {
    const { ask, clock, done, state } = bench(somebody, answer);
    state.hears = false;
    ask();
    ask();
    await clock.advance(windowTimeoutMs);
    expect(done).toEqual([somebody, somebody, 'outside', ...then]);
  });

  it('[PB-APP-1] is not asked again while the app is stopping', async () => {
    const { ask, clock, done, state } = bench(somebody);
    state.hears = false;
    ask();
    state.quitting = true;
    await clock.advance(windowTimeoutMs);
    expect(done).toEqual([somebody]);
  });
});

it('[PB-APP-1] a plan lists the clients that a quit interrupts', () => {
  const hub = new FakeHub();
  expect(interruptsNothing(quitPlan(undefined))).toBe(true);
  expect(interruptsNothing(quitPlan(hub))).toBe(true);
  hub.clientList = [clientView('1', { lastActiveAt: 7 })];
  expect(quitPlan(hub)).toEqual({ clients: [{ id: '1', name: '1', lastActiveAt: 7 }], calls: [] });
  expect(interruptsNothing(quitPlan(hub))).toBe(false);
});
