import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ManagedServer } from '../../../../electron/engine/supervise/supervised-server.ts';
import { FakeClock } from '../../../helper/fake-clock.ts';
import { crashed, type Outcome, order, type ScriptedRun, scripted } from './scripted-runs.ts';

const lazy = { start: 'on-demand', idleStop: 1_000 } as const;

/** Possible requests and events. */
const acts = {
  one: ({ server }) => server.apply(order('one')),
  two: ({ server }) => server.apply(order('two')),
  lazy: ({ server }) => server.apply(order('one', lazy)),
  restart: ({ server }) => server.restart(),
  force: ({ server }) => server.forceUpdate(),
  dismiss: ({ server }) => server.dismissUpdate(),
  sleep: ({ server }) => server.sleep(),
  listed: ({ server }) => server.markListed(),
  bad: ({ server }) => server.apply(order('bad')),
  mute: ({ server }) => server.apply(order('mute')),
  broken: ({ server }) => server.apply({ ...order('broken'), target: { ok: false, problem: crashed } }),
  off: ({ server }) => server.apply(order('one', { enabled: false })),
  retire: ({ server }) => void server.retire(),
  crash: ({ alive }) => alive()[0]?.crash(),
  crashLast: ({ alive }) => alive().at(-1)?.crash(),
  fail: ({ server }) => server.fail(crashed),
} satisfies Record<string, (owned: { server: ManagedServer; alive: () => readonly ScriptedRun[] }) => void>;
type Act = keyof typeof acts;

/** Gentle steps, which never prevent an answer. */
const gentle: readonly Act[] = ['one', 'two', 'lazy', 'restart', 'force', 'dismiss', 'sleep', 'listed'];
/** Harsh steps, which end pending calls. */
const cutting: ReadonlySet<string> = new Set<Act>(['restart', 'force', 'crash', 'crashLast', 'fail']);

type Step = { readonly act: Act | 'call'; readonly wait: number };
const stepOf = (kinds: readonly Act[]) =>
  fc.record<Step>({
    act: fc.oneof(
      { weight: 1, arbitrary: fc.constant('call' as const) },
      { weight: 2, arbitrary: fc.constantFrom(...kinds) },
    ),
    wait: fc.oneof(fc.nat(70), fc.nat(1_500)),
  });
const steps = fc.oneof(
  fc.record({ isGentle: fc.constant(true), list: fc.array(stepOf(gentle), { maxLength: 30 }) }),
  fc.record({
    isGentle: fc.constant(false),
    list: fc.array(stepOf(Object.keys(acts) as Act[]), { maxLength: 30 }),
  }),
);

const gently = (...list: Step[]) => ({ isGentle: true as const, list });
const roughly = (...list: Step[]) => ({ isGentle: false as const, list });

/** Sequences that have failed before. */
const onceWrong: [ReturnType<typeof gently> | ReturnType<typeof roughly>, Act, boolean][] = [
  [gently({ act: 'call', wait: 0 }, { act: 'sleep', wait: 0 }), 'one', false],
  [roughly({ act: 'one', wait: 20 }, { act: 'broken', wait: 0 }, { act: 'fail', wait: 0 }), 'one', false],
  [
    roughly(
      { act: 'call', wait: 20 },
      { act: 'broken', wait: 0 },
      { act: 'dismiss', wait: 5 },
      { act: 'sleep', wait: 10 },
    ),
    'lazy',
    true,
  ],
];

function begin(mustListFirst: boolean) {
  const clock = new FakeClock();
  const violations: string[] = [];
  const owned = scripted(clock, {
    ...(mustListFirst ? { mustListFirst: () => false } : {}),
    onRun: (_run, others) => {
      // All connected processes but one are finishing old calls.
      const idle = others.filter(({ phase, calls }) => phase === 'serving' && calls === 0);
      if (idle.length > 1) violations.push('two serve already');
      if (others.some(({ phase }) => phase !== 'serving')) violations.push('another starts or ends');
    },
    onChange: ({ state }) => {
      if (!('connection' in state)) return;
      clock.after(5, () => owned.server.markListed());
      const { name } = state.connection.handshake.serverInfo;
      if (!owned.alive().some((run) => run.name === name && run.phase === 'serving'))
        violations.push('what is named connected does not serve');
    },
  });
  return { clock, violations, ...owned };
}

describe('the owner of a server, whatever is requested and when', () => {
  it('[PB-PROC-1] [PB-CFG-1] [PB-DEMAND-1] [NFR-R4] ends in the last requested state, loses no call, and never starts beside a process that is ending', async () => {
    await fc.assert(
      fc.asyncProperty(
        steps,
        fc.constantFrom<Act>('one', 'lazy', 'off', 'bad', 'broken', 'retire'),
        fc.boolean(),
        async ({ isGentle, list }, last, mustListFirst) => {
          const owned = begin(mustListFirst);
          const { server, clock, call, names, alive, pass, violations } = owned;
          const calls: { readonly cuts: number; outcome?: Outcome; cutsThen: number }[] = [];
          let cuts = 0;
          server.apply(order('one'));
          await pass(0);
          for (const { act, wait } of list) {
            if (cutting.has(act)) cuts++;
            if (act !== 'call') acts[act](owned);
            else {
              const entry: (typeof calls)[number] = { cuts, cutsThen: cuts };
              calls.push(entry);
              void call(wait % 7 === 0 ? 400 : 15).then((outcome) => {
                entry.outcome = outcome;
                entry.cutsThen = cuts;
              });
            }
            await pass(wait);
          }
          // Lets the calls of gentle steps finish before a harsh end.
          if (isGentle) await pass(5_000);
          // A dismissed config is wanted again only after another change.
          server.apply(order('fresh'));
          acts[last](owned);
          await pass(400_000);
          // A server that was put to sleep stays asleep until it is called.
          const lastCall = last === 'one' ? call(1) : undefined;
          await pass(100);
          expect(await lastCall).toEqual(lastCall && { by: 'one' });

          for (const { outcome, cuts: before, cutsThen } of calls) {
            expect(outcome).toBeDefined();
            if (outcome !== undefined && 'unknown' in outcome) expect(cutsThen).toBeGreaterThan(before);
            else if (isGentle) expect(outcome).toHaveProperty('by');
          }
          expect(server.activeCalls).toBe(0);
          const { status } = server.state;
          if (last === 'one') expect([names(), status]).toEqual([['one'], 'connected']);
          else if (last === 'lazy') expect([alive(), server.state]).toMatchObject([[], { asleep: true }]);
          else if (last === 'off' || last === 'retire') expect([alive(), status]).toEqual([[], 'disabled']);
          else if (server.update?.kind === 'failed')
            expect([names().length, status]).toEqual([1, 'connected']);
          else if (status === 'error') expect(names()).toEqual([]);
          // Dismissed or asleep: both match the last request.
          await Promise.all([server.end(), pass(100)]);
          expect([alive(), clock.pending]).toEqual([[], 0]);
          expect(violations).toEqual([]);
        },
      ),
      { numRuns: 400, examples: onceWrong },
    );
  });
});
