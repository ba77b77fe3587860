import type { Problem } from '../../../shared/error/problem.ts';
import { type BackoffOptions, backoffDelay } from '../base/backoff.ts';
import { keepsFailing } from './failure-problem.ts';
import type { RunEnding } from './run.ts';

/** What is remembered of earlier runs; forgotten on a new config, on the user's wish and after a stable connection. */
export interface FailureHistory {
  /** Ends before the handshake, in a row. */
  readonly early: number;
  /** Failures of any kind, in a row. */
  readonly streak: number;
}

export const noFailures: FailureHistory = { early: 0, streak: 0 };

export interface RestartPolicy {
  readonly restart: 'always' | 'never';
  readonly backoff: BackoffOptions;
  /** Milliseconds; a connection that held this long makes earlier failures forgotten. */
  readonly stable: number;
}

export type NextStep =
  | { readonly kind: 'rest' }
  | { readonly kind: 'error' | 'needs-auth'; readonly problem: Problem }
  | {
      readonly kind: 'retry';
      readonly delay: number;
      readonly problem: Problem;
      readonly history: FailureHistory;
    };

/** What follows the end of a run. `random` yields 0 to 1. */
export function nextStep(
  ending: RunEnding,
  history: FailureHistory,
  policy: RestartPolicy,
  random: () => number,
): NextStep {
  if (ending.kind === 'stopped') return { kind: 'rest' };
  const { problem } = ending;
  if (ending.kind === 'unauthorized') return { kind: 'needs-auth', problem };
  const failures = count(ending, history, policy.stable);
  // Nothing has failed: the server waits for a new session, and so do those who call it.
  if (ending.kind === 'session-over' && failures.streak === 1) {
    return { kind: 'retry', delay: 0, problem, history: failures };
  }
  if (ending.kind === 'refused' || policy.restart === 'never' || failures.early >= earlyLimit) {
    return { kind: 'error', problem };
  }
  // A server elsewhere may come back any time, and asking now and then costs nothing.
  if (!isElsewhere(ending) && failures.streak > streakLimit) {
    return { kind: 'error', problem: keepsFailing(failures.streak, problem) };
  }
  const delay = backoffDelay(policy.backoff, failures.streak - 1, random);
  return { kind: 'retry', delay, problem, history: failures };
}

function isElsewhere({ kind }: RunEnding): boolean {
  return kind === 'unreachable' || kind === 'session-over';
}

/** A start that fails twice the same way is no accident. */
const earlyLimit = 2;
/** Restarts in a row before a server counts as one that keeps failing. */
const streakLimit = 5;

function count(ending: RunEnding, history: FailureHistory, stable: number): FailureHistory {
  const held = 'connectedFor' in ending && ending.connectedFor >= stable;
  return {
    early: ending.kind === 'early' ? history.early + 1 : 0,
    streak: held ? 1 : history.streak + 1,
  };
}
