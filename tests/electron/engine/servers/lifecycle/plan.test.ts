import { describe, expect, it } from 'vitest';
import {
  type ActiveFacts,
  type Demand,
  type DesiredState,
  demandAfter,
  desiredStateOf,
  nextTransition,
  updateOf,
} from '../../../../../electron/engine/servers/lifecycle/plan.ts';
import type { ServerConfig } from '../../../../../electron/engine/servers/server-config.ts';
import { crashed, order } from '../scripted-processes.ts';

const broken: ServerConfig = { ...order('one'), target: { ok: false, problem: crashed } };
const goals = {
  off: desiredStateOf(order('one', { enabled: false }), 'use'),
  asleep: desiredStateOf(order('one'), 'nothing'),
  broken: desiredStateOf(broken, 'use'),
  same: desiredStateOf(order('one'), 'use'),
  other: desiredStateOf(order('two'), 'use'),
} satisfies Record<string, DesiredState>;

describe('the plan for a server', () => {
  it('wants it to run only while it is switched on, usable and needed', () => {
    expect(Object.values(goals).map(({ kind }) => kind)).toEqual(['off', 'asleep', 'broken', 'run', 'run']);
    expect(desiredStateOf(undefined, 'use').kind).toBe('off');
    expect(desiredStateOf(order('one'), 'its-offer').kind).toBe('run');
  });

  it.each<[ActiveFacts['kind'], Record<keyof typeof goals, string>]>([
    ['down', { off: 'stay', asleep: 'stay', broken: 'stay', same: 'start', other: 'start' }],
    ['resting', { off: 'forget', asleep: 'forget', broken: 'forget', same: 'stay', other: 'forget' }],
    ['waiting', { off: 'forget', asleep: 'forget', broken: 'forget', same: 'stay', other: 'forget' }],
    ['starting', { off: 'end', asleep: 'end', broken: 'end', same: 'stay', other: 'end' }],
    ['serving', { off: 'drain', asleep: 'drain', broken: 'stay', same: 'stay', other: 'stay' }],
    ['draining', { off: 'stay', asleep: 'stay', broken: 'stay', same: 'resume', other: 'resume' }],
    ['ending', { off: 'stay', asleep: 'stay', broken: 'stay', same: 'stay', other: 'stay' }],
  ])('takes the right step while its process is %s', (kind, moves) => {
    const main = { kind, fingerprint: 'one' };
    expect(
      Object.fromEntries(Object.entries(goals).map(([name, goal]) => [name, nextTransition(goal, main)])),
    ).toEqual(moves);
  });

  it('[PB-CFG-1] ends a rest or a wait when an option changes, and nothing else', () => {
    const goal = desiredStateOf(order('one', { options: 'new' }), 'use');
    const kinds = ['resting', 'waiting', 'starting', 'serving'] as const;
    const moves = kinds.map((kind) => nextTransition(goal, { kind, fingerprint: 'one', options: 'old' }));
    expect(moves).toEqual(['forget', 'forget', 'stay', 'stay']);
    expect(nextTransition(goal, { kind: 'resting', fingerprint: 'one', options: 'new' })).toBe('stay');
  });

  it('[PB-CFG-1] starts another config beside a connected server, and never instead of it', () => {
    const updates = (kind: ActiveFacts['kind']) =>
      Object.values(goals).map((goal) => updateOf(goal, { kind, fingerprint: 'one' }).kind);
    expect(updates('serving')).toEqual(['none', 'none', 'refuse', 'none', 'start']);
    expect(updates('draining')).toEqual(Array(5).fill('none'));
    expect(updates('starting')).toEqual(Array(5).fill('none'));
  });

  const onDemand = (name: string, enabled = true) => order(name, { start: 'on-demand', enabled });
  it.each<[string, Demand, ServerConfig | undefined, ServerConfig, boolean, Demand]>([
    ['a new one starts', 'nothing', undefined, order('one'), false, 'use'],
    ['a new one sleeps until it is called', 'nothing', undefined, onDemand('one'), false, 'nothing'],
    ['a new one that was never listed is', 'nothing', undefined, onDemand('one'), true, 'its-offer'],
    ['one that is switched on sleeps', 'use', onDemand('one', false), onDemand('one'), false, 'nothing'],
    ['one that is to run from now on starts', 'nothing', onDemand('one'), order('one'), false, 'use'],
    ['one that may sleep from now on is not ended', 'use', order('one'), onDemand('one'), false, 'use'],
    ['a changed one that sleeps is listed', 'nothing', onDemand('one'), onDemand('two'), false, 'its-offer'],
    ['a changed one that is used is so still', 'use', onDemand('one'), onDemand('two'), false, 'use'],
    ['an unchanged one sleeps on', 'nothing', onDemand('one'), onDemand('one'), true, 'nothing'],
  ])('[PB-DEMAND-1] %s', (_, need, before, after, isUnlisted, expected) => {
    const main = { kind: 'down' } as const;
    const mustListFirst = () => isUnlisted;
    expect(demandAfter(need, { before, after, active: main, mustListFirst })).toBe(expected);
    const nobodyCares = demandAfter(need, { before, after, active: main, mustListFirst: undefined });
    expect(nobodyCares).toBe(expected === 'its-offer' ? 'nothing' : expected);
  });
});
