import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FailureHistory,
  nextStep,
  noFailures,
  type RestartPolicy,
} from '../../../../../electron/engine/servers/lifecycle/restart-policy.ts';
import type { RunEnding } from '../../../../../electron/engine/servers/lifecycle/run-ending.ts';
import type { Problem } from '../../../../../shared/error/problem.ts';

const problem: Problem = { code: 'server.crashed', sentence: 'It ended.', fix: 'Look.', evidence: [] };
const policy: RestartPolicy = {
  restart: 'always',
  stable: 60_000,
  slowProbe: 300_000,
  backoff: { initial: 500, max: 30_000, factor: 2, jitter: 0.2 },
};
const exit = (code: number): RunEnding => ({
  kind: 'early',
  problem: {
    ...problem,
    code: 'server.exited_before_handshake',
    evidence: [{ label: 'ended with', value: `exit code ${code}` }],
  },
});
const late: RunEnding = { kind: 'early', problem: { ...problem, code: 'server.handshake_timeout' } };
const sick = (connectedFor = 10): RunEnding => ({ kind: 'unhealthy', problem, connectedFor });
const lost = (connectedFor = 10): RunEnding => ({ kind: 'lost', problem, connectedFor });
const gone: RunEnding = { kind: 'unreachable', problem, connectedFor: 0 };

const over = (connectedFor = 10): RunEnding => ({ kind: 'session-over', problem, connectedFor });

/** Returns the steps that follow these endings, until one is final. */
function follow(endings: readonly RunEnding[], overrides: Partial<RestartPolicy> = {}): readonly string[] {
  const steps: string[] = [];
  let history: FailureHistory = noFailures;
  for (const ending of endings) {
    const step = nextStep(ending, history, { ...policy, ...overrides }, () => 0.5);
    const shown = step.kind === 'retry' && step.status === 'error' ? ' as an error' : '';
    steps.push(step.kind === 'retry' ? `retry ${step.delay}${shown}` : step.kind);
    if (step.kind !== 'retry') break;
    history = step.history;
  }
  return steps;
}

describe('what follows the end of a run', () => {
  it.each<[string, readonly RunEnding[], readonly string[]]>([
    ['stopped by us: nothing', [{ kind: 'stopped' }], ['rest']],
    ['a missing command: an error at once', [{ kind: 'refused', problem }], ['error']],
    ['two ends before the handshake, in one way: an error', [exit(1), exit(1)], ['retry 500', 'error']],
    [
      'two ends before the handshake, each in its way: a slow probe, until the same comes again',
      [exit(1), exit(2), exit(2)],
      ['retry 500', 'retry 300000 as an error', 'error'],
    ],
    [
      'starts that take too long: a slow probe without end',
      [late, late, late, lost(60_000), late],
      ['retry 500', 'retry 300000 as an error', 'retry 300000 as an error', 'retry 500', 'retry 1000'],
    ],
    [
      'crashes: longer and longer waits, then a slow probe without end',
      [...Array(7).fill(lost()), lost(60_000), lost()],
      [
        ...[500, 1000, 2000, 4000, 8000].map((delay) => `retry ${delay}`),
        ...Array(2).fill('retry 300000 as an error'),
        'retry 500',
        'retry 1000',
      ],
    ],
    [
      'one that does not answer: waits, shown as an error, and forgotten only after much longer',
      [sick(), sick(90_000), sick(300_000)],
      ['retry 500 as an error', 'retry 1000 as an error', 'retry 500 as an error'],
    ],
    [
      'a crash after a stable minute: a wait as if it were the first',
      [lost(), lost(), lost(60_000), lost()],
      ['retry 500', 'retry 1000', 'retry 500', 'retry 1000'],
    ],
    ['missing authorization: needs-auth', [{ kind: 'unauthorized', problem }], ['needs-auth']],
    [
      'an unreachable server: slow probing without end',
      Array(9).fill(gone),
      [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000].map((delay) => `retry ${delay}`),
    ],
    [
      'a forgotten session: another at once, unless that is soon forgotten too',
      [over(), over(), over(), over(60_000), gone],
      ['retry 0', 'retry 1000', 'retry 2000', 'retry 0', 'retry 1000'],
    ],
  ])('%s', (_, endings, steps) => {
    expect(follow(endings)).toEqual(steps);
  });

  it('is an error for a server that is not to be restarted', () => {
    for (const ending of [exit(1), lost(), lost(99_999), sick(), gone]) {
      expect(follow([ending], { restart: 'never' })).toEqual(['error']);
    }
  });

  it('says so when nothing is retried', () => {
    const step = nextStep({ kind: 'refused', problem }, noFailures, policy, () => 0.5);
    expect(step).toMatchObject({
      kind: 'error',
      problem: { fix: expect.stringMatching(/click Try now, or run "patchbay restart"/) },
    });
  });

  it('names how often it failed, the last reason and its evidence', () => {
    const step = nextStep(lost(), { streak: 5 }, policy, () => 0.5);
    expect(step).toMatchObject({
      kind: 'retry',
      status: 'error',
      problem: {
        code: 'server.keeps_failing',
        sentence: expect.stringMatching(/^It ended\..*failure 6 in a row/),
      },
    });
  });

  it('keeps the delay between the initial and the max delay, plus or minus jitter', () => {
    fc.assert(
      fc.property(fc.nat(5), fc.double({ min: 0, max: 1, noNaN: true }), (streak, random) => {
        const step = nextStep(gone, { streak }, policy, () => random);
        expect(step.kind).toBe('retry');
        if (step.kind !== 'retry') return;
        expect(step.delay).toBeGreaterThanOrEqual(400);
        expect(step.delay).toBeLessThanOrEqual(36_000);
      }),
    );
  });
});
