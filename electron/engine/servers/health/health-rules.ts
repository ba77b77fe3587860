import type { ListMethod } from '../../../../shared/model/mcp.ts';
import type { ServerHealth } from '../../../../shared/model/server/health.ts';

/** Interval and timeout of health checks, in milliseconds. */
export interface HealthTiming {
  readonly interval: number;
  readonly timeout: number;
}

export const defaultTiming: HealthTiming = { interval: 30_000, timeout: 5_000 };

/** Missed checks in a row that make a server an error. */
export const maxMisses = 3;

/**
 * Milliseconds that a server may be silent while it works on a call: many can do only one thing at a time.
 */
export const maxBusyMs = 10 * 60_000;

/** Results of the checks of the current connection. Times in epoch milliseconds. */
export interface Pulse {
  readonly by: ServerHealth['by'];
  readonly lastCheckAt: number;
  readonly lastOkAt?: number;
  /** Missed checks in a row, except those it was too busy to answer. */
  readonly misses: number;
  /** Time of the last sign of life; time asleep does not count. */
  readonly silentSince: number;
}

/** Request that probes whether a server is alive. */
export type ProbeMethod = 'ping' | ListMethod;

/**
 * Chooses requests to probe a server with, each used if the one before was not answered: some servers ignore
 * a ping, and some end because of one. Skips those after which it ended or stopped responding for
 * good.
 */
export function probeMethods(
  capabilities: Readonly<Record<string, unknown>>,
  fatalProbes: ReadonlySet<ProbeMethod>,
): readonly ProbeMethod[] {
  const list = listMethods.find(([capability]) => isDeclared(capabilities[capability]))?.[1];
  const methods: readonly ProbeMethod[] = list === undefined ? ['ping'] : ['ping', list];
  return methods.filter((method) => !fatalProbes.has(method));
}

const listMethods = [
  ['tools', 'tools/list'],
  ['prompts', 'prompts/list'],
  ['resources', 'resources/list'],
] as const;

function isDeclared(capability: unknown): boolean {
  return capability !== undefined && capability !== null && capability !== false;
}

/** Result of a check. */
export type CheckOutcome =
  | {
      readonly kind: 'good';
      readonly by: ServerHealth['by'];
      readonly milliseconds?: number;
      /** Request that the server answered. */
      readonly method?: ProbeMethod;
    }
  | {
      readonly kind: 'missed';
      readonly by: 'ping' | 'url';
      readonly reason: string;
      /** True if the server sent nothing before the timeout. */
      readonly isSilent?: true;
    }
  /** The machine slept during the check. */
  | { readonly kind: 'slept' }
  /** The connection has ended, which is reported elsewhere with more detail. */
  | { readonly kind: 'ended' };

/** Circumstances that matter for a missed check. */
export interface CheckContext {
  readonly at: number;
  /** Calls that it was working on when it was last probed. */
  readonly calls: number;
  /** True for a local process, which reads one message after another. */
  readonly isLocal: boolean;
  /** True for a remote server just after the machine woke up: its calls may have lost their connection. */
  readonly mayBeDisconnected: boolean;
}

export type Verdict = 'alive' | 'missed' | 'busy' | 'dead';

/** Applies the result of a check to the pulse. */
export function applyCheck(
  pulse: Pulse,
  outcome: Extract<CheckOutcome, { readonly by: unknown }>,
  { at, calls, mayBeDisconnected, isLocal }: CheckContext,
): { readonly pulse: Pulse; readonly verdict: Verdict } {
  const checked = { ...pulse, by: outcome.by, lastCheckAt: at };
  if (outcome.kind === 'good') {
    return { pulse: { ...checked, lastOkAt: at, misses: 0, silentSince: at }, verdict: 'alive' };
  }
  // A call does not explain a silence that began before it.
  const wasSilent = isLocal && outcome.isSilent === true && pulse.misses > 0;
  if (calls > 0 && at - pulse.silentSince < maxBusyMs && !mayBeDisconnected && !wasSilent) {
    return { pulse: checked, verdict: 'busy' };
  }
  const misses = pulse.misses + 1;
  return { pulse: { ...checked, misses }, verdict: misses >= maxMisses ? 'dead' : 'missed' };
}

/** Recent calls and checks. */
export interface Recent {
  readonly calls: number;
  readonly failedCalls: number;
  readonly checks: number;
  /**
   * Median of the checks only, since the duration of a call depends on the tool. A missed check counts as the
   * timeout.
   */
  readonly checkMs?: number;
}

/** Problem of a server that still responds. */
export type HealthIssue =
  | { readonly kind: 'silent'; readonly misses: number }
  | { readonly kind: 'busy'; readonly silentMs: number }
  | { readonly kind: 'failing'; readonly calls: number; readonly failed: number }
  | { readonly kind: 'slow'; readonly milliseconds: number };

/**
 * Finds the problem, worst first. The limits for keeping a problem are lower than for starting it, so that
 * the status does not flicker.
 */
export function findIssue(
  pulse: Pulse,
  recent: Recent,
  before: HealthIssue | undefined,
  { interval, timeout }: HealthTiming,
): HealthIssue | undefined {
  if (pulse.misses >= maxMisses - 1) return { kind: 'silent', misses: pulse.misses };
  const silentMs = pulse.lastCheckAt - pulse.silentSince;
  if (silentMs >= maxMisses * interval) return { kind: 'busy', silentMs };
  if (isFailing(recent, before?.kind === 'failing')) {
    return { kind: 'failing', calls: recent.calls, failed: recent.failedCalls };
  }
  const { checkMs } = recent;
  if (checkMs !== undefined && isSlow(recent, timeout, before?.kind === 'slow')) {
    return { kind: 'slow', milliseconds: checkMs };
  }
  return undefined;
}

function isFailing({ calls, failedCalls }: Recent, wasFailing: boolean): boolean {
  if (calls === 0) return false;
  const rate = failedCalls / calls;
  return wasFailing ? rate >= 0.25 : calls >= minCalls && rate >= 0.5;
}

function isSlow({ checks, checkMs = 0 }: Recent, timeout: number, wasSlow: boolean): boolean {
  return wasSlow ? checkMs > timeout / 4 : checks >= minChecks && checkMs > timeout / 2;
}

/** Min samples for a verdict. */
const minCalls = 5;
const minChecks = 3;
