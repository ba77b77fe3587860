import type { Problem } from '../../../../shared/error/problem.ts';
import { type BackoffOptions, backoffDelay } from '../../base/backoff.ts';
import type { ServerConfig } from '../server-config.ts';
import { isSameFailure, keepsFailing, withRestartHint } from './diagnosis/failure-problems.ts';
import type { RunEnding } from './run-ending.ts';
import type { SupervisorTiming } from './supervisor-options.ts';

/** Earlier failures. Reset by a new config, by the user, and by a stable connection. */
export interface FailureHistory {
  /** Last failure before the handshake, if nothing else has happened since. */
  readonly early?: Problem;
  /** Failures of any kind, in a row. */
  readonly streak: number;
}

export const noFailures: FailureHistory = { streak: 0 };

export interface RestartPolicy {
  readonly restart: ServerConfig['restart'];
  readonly revival?: ServerConfig['revival'];
  readonly backoff: BackoffOptions;
  /** Milliseconds between retries once the backoff has not helped. */
  readonly slowProbe: number;
  /** Milliseconds after which a connection counts as stable and resets earlier failures. */
  readonly stable: number;
}

export function policyOf(
  { restart, revival }: Pick<ServerConfig, 'restart' | 'revival'>,
  { stable, slowProbe, backoffInitial: initial, backoffMax: max }: SupervisorTiming,
): RestartPolicy {
  return { restart, revival, stable, slowProbe, backoff: { initial, max, factor: 2, jitter: 0.2 } };
}

export type NextStep =
  | { readonly kind: 'rest' }
  /** Stays until its config changes or the user restarts it. */
  | { readonly kind: 'error' | 'needs-auth'; readonly problem: Problem }
  | {
      readonly kind: 'retry';
      /** Status shown while it waits. */
      readonly status: 'disconnected' | 'error';
      readonly delay: number;
      readonly problem: Problem;
      readonly history: FailureHistory;
    };

type Failure = Exclude<RunEnding, { kind: 'stopped' | 'unauthorized' }>;

/** Decides what follows after a process has ended. `random` yields 0 to 1. */
export function nextStep(
  ending: RunEnding,
  history: FailureHistory,
  policy: RestartPolicy,
  random: () => number,
): NextStep {
  if (ending.kind === 'stopped') return { kind: 'rest' };
  if (ending.kind === 'unauthorized') return { kind: 'needs-auth', problem: ending.problem };
  if (policy.restart === 'never' || isPermanent(ending, history)) {
    return { kind: 'error', problem: withRestartHint(ending.problem, policy) };
  }
  return retry(ending, history, policy, random);
}

/** Tells whether a retry would change nothing. */
function isPermanent(ending: Failure, history: FailureHistory): boolean {
  if (ending.kind === 'refused') return true;
  // The same failure twice is no coincidence.
  return (
    ending.kind === 'early' && history.early !== undefined && isSameFailure(history.early, ending.problem)
  );
}

function retry(
  ending: Failure,
  before: FailureHistory,
  policy: RestartPolicy,
  random: () => number,
): NextStep {
  const { problem } = ending;
  const history = countFailure(ending, before, policy.stable);
  const { streak } = history;
  // Not a failure: the server only needs a new session, and callers are waiting for it.
  if (ending.kind === 'session-over' && streak === 1) {
    return { kind: 'retry', status: 'disconnected', delay: 0, problem, history };
  }
  // A remote server may come back at any time, and an occasional retry is cheap.
  if (!isRemote(ending) && streak > maxStreak) {
    return retrySlowly(keepsFailing(streak, problem), history, policy, random);
  }
  if (ending.kind === 'early' && before.early !== undefined)
    return retrySlowly(problem, history, policy, random);
  const delay = backoffDelay(policy.backoff, streak - 1, random);
  // Shown as an error, since it runs but does not work.
  const status = ending.kind === 'unhealthy' ? 'error' : 'disconnected';
  return { kind: 'retry', status, delay, problem, history };
}

/** Retries slowly, since the cause may pass: the network, a required service, a busy machine. */
function retrySlowly(
  problem: Problem,
  history: FailureHistory,
  { slowProbe, backoff }: RestartPolicy,
  random: () => number,
): NextStep {
  const delay = backoffDelay({ ...backoff, initial: slowProbe, max: slowProbe }, 0, random);
  return { kind: 'retry', status: 'error', delay, problem, history };
}

function isRemote({ kind }: Failure): boolean {
  return kind === 'unreachable' || kind === 'session-over';
}

/** Restarts in a row before a server counts as one that keeps failing. */
const maxStreak = 5;

function countFailure(ending: Failure, { streak }: FailureHistory, stable: number): FailureHistory {
  if (ending.kind === 'early') return { early: ending.problem, streak: streak + 1 };
  // An unhealthy server did not respond for much of the time it was connected.
  const needed = ending.kind === 'unhealthy' ? stable * 5 : stable;
  const isStable = 'connectedFor' in ending && ending.connectedFor >= needed;
  return { streak: isStable ? 1 : streak + 1 };
}
