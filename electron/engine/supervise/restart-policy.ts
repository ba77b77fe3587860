import type { Problem } from '../../../shared/error/problem.ts';
import { type BackoffOptions, backoffDelay } from '../base/backoff.ts';
import type { ServerOrder } from './contract.ts';
import { isSameEnd, keepsFailing, notAgain } from './failure-problem.ts';
import type { RunEnding } from './run.ts';

/** What is remembered of earlier runs; forgotten on a new config, on the user's wish and after a stable connection. */
export interface FailureHistory {
  /** The last end before the handshake, if nothing else has happened since. */
  readonly early?: Problem;
  /** Failures of any kind, in a row. */
  readonly streak: number;
}

export const noFailures: FailureHistory = { streak: 0 };

export interface RestartPolicy {
  readonly restart: ServerOrder['restart'];
  readonly revival?: ServerOrder['revival'];
  readonly backoff: BackoffOptions;
  /** Milliseconds between two tries once the backoff has led to nothing. */
  readonly slowProbe: number;
  /** Milliseconds; a connection that held this long makes earlier failures forgotten. */
  readonly stable: number;
}

export type NextStep =
  | { readonly kind: 'rest' }
  /** Until its config changes or the user says so. */
  | { readonly kind: 'error' | 'needs-auth'; readonly problem: Problem }
  | {
      readonly kind: 'retry';
      /** As what it is shown meanwhile. */
      readonly status: 'disconnected' | 'error';
      readonly delay: number;
      readonly problem: Problem;
      readonly history: FailureHistory;
    };

type Failure = Exclude<RunEnding, { kind: 'stopped' | 'unauthorized' }>;

/** What follows the end of a run. `random` yields 0 to 1. */
export function nextStep(
  ending: RunEnding,
  history: FailureHistory,
  policy: RestartPolicy,
  random: () => number,
): NextStep {
  if (ending.kind === 'stopped') return { kind: 'rest' };
  if (ending.kind === 'unauthorized') return { kind: 'needs-auth', problem: ending.problem };
  if (policy.restart === 'never' || isPermanent(ending, history)) {
    return { kind: 'error', problem: notAgain(ending.problem, policy) };
  }
  return retry(ending, history, policy, random);
}

/** Trying again would change nothing. */
function isPermanent(ending: Failure, history: FailureHistory): boolean {
  if (ending.kind === 'refused') return true;
  // Twice the same way is no accident.
  return ending.kind === 'early' && history.early !== undefined && isSameEnd(history.early, ending.problem);
}

function retry(
  ending: Failure,
  before: FailureHistory,
  policy: RestartPolicy,
  random: () => number,
): NextStep {
  const { problem } = ending;
  const history = count(ending, before, policy.stable);
  const { streak } = history;
  // Nothing has failed: the server waits for a new session, and so do those who call it.
  if (ending.kind === 'session-over' && streak === 1) {
    return { kind: 'retry', status: 'disconnected', delay: 0, problem, history };
  }
  // A server elsewhere may come back any time, and asking now and then costs nothing.
  if (!isElsewhere(ending) && streak > streakLimit) {
    return probe(keepsFailing(streak, problem), history, policy, random);
  }
  if (ending.kind === 'early' && before.early !== undefined) return probe(problem, history, policy, random);
  const delay = backoffDelay(policy.backoff, streak - 1, random);
  // Shown as what it is: it runs, and does not work.
  const status = ending.kind === 'unhealthy' ? 'error' : 'disconnected';
  return { kind: 'retry', status, delay, problem, history };
}

/** Whatever keeps it from working may pass: the network, a service it needs, a computer that is too busy. */
function probe(
  problem: Problem,
  history: FailureHistory,
  { slowProbe, backoff }: RestartPolicy,
  random: () => number,
): NextStep {
  const delay = backoffDelay({ ...backoff, initial: slowProbe, max: slowProbe }, 0, random);
  return { kind: 'retry', status: 'error', delay, problem, history };
}

function isElsewhere({ kind }: Failure): boolean {
  return kind === 'unreachable' || kind === 'session-over';
}

/** Restarts in a row before a server counts as one that keeps failing. */
const streakLimit = 5;

function count(ending: Failure, { streak }: FailureHistory, stable: number): FailureHistory {
  if (ending.kind === 'early') return { early: ending.problem, streak: streak + 1 };
  // Much of the time that one was connected it did not answer.
  const needed = ending.kind === 'unhealthy' ? stable * 5 : stable;
  const held = 'connectedFor' in ending && ending.connectedFor >= needed;
  return { streak: held ? 1 : streak + 1 };
}
