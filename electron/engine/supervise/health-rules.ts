import type { ServerHealth } from '../../../shared/model/health.ts';
import type { ListMethod } from '../../../shared/schema/bridge-hello.ts';

/** How often a server is checked and how long it may take to answer, in milliseconds. */
export interface HealthTiming {
  readonly interval: number;
  readonly timeout: number;
}

export const defaultTiming: HealthTiming = { interval: 30_000, timeout: 5_000 };

/** Checks missed in a row that make a server an error. */
export const missLimit = 3;

/** Milliseconds that a server at work on calls may say nothing at all: many can do only one thing at a time. */
export const busyPatience = 10 * 60_000;

/** What checks have told of a server on its present connection. Times in epoch milliseconds. */
export interface Pulse {
  readonly by: ServerHealth['by'];
  readonly lastCheckAt: number;
  readonly lastOkAt?: number;
  /** In a row; checks that it was too busy to answer do not count. */
  readonly misses: number;
  /** Since when it has said nothing, the machine's own sleep left out. */
  readonly quietSince: number;
}

/** A request that shows whether a server lives. */
export type Question = 'ping' | ListMethod;

/**
 * Requests to check a server with, each where the one before was not answered: some say nothing to a ping, and some end
 * over one. `deadly` are those over which it has ended, or fallen silent for good.
 */
export function questionsFor(
  capabilities: Readonly<Record<string, unknown>>,
  deadly: ReadonlySet<Question>,
): readonly Question[] {
  const list = askable.find(([capability]) => isNamed(capabilities[capability]))?.[1];
  const questions: readonly Question[] = list === undefined ? ['ping'] : ['ping', list];
  return questions.filter((question) => !deadly.has(question));
}

const askable = [
  ['tools', 'tools/list'],
  ['prompts', 'prompts/list'],
  ['resources', 'resources/list'],
] as const;

function isNamed(capability: unknown): boolean {
  return capability !== undefined && capability !== null && capability !== false;
}

/** How a check went. */
export type CheckOutcome =
  | {
      readonly kind: 'good';
      readonly by: ServerHealth['by'];
      readonly milliseconds?: number;
      /** Question that the server answered. */
      readonly question?: Question;
    }
  | {
      readonly kind: 'missed';
      readonly by: 'ping' | 'url';
      readonly reason: string;
      /** Whether the server said nothing within the time limit. */
      readonly isSilent?: true;
    }
  /** The machine slept in the middle of it. */
  | { readonly kind: 'slept' }
  /** Its connection has ended, which is told elsewhere and better. */
  | { readonly kind: 'ended' };

/** What else counts when a check was missed. */
export interface Circumstances {
  readonly at: number;
  /** Calls it was at work on when it was asked last. */
  readonly calls: number;
  /** True for a process of ours, which reads one message after another. */
  readonly isLocal: boolean;
  /** It is reached over the network and the machine has just woken up: its calls may have lost their connection. */
  readonly isCutOff: boolean;
}

export type Verdict = 'alive' | 'missed' | 'busy' | 'dead';

/** What a check makes of what was known. */
export function afterCheck(
  pulse: Pulse,
  outcome: Extract<CheckOutcome, { readonly by: unknown }>,
  { at, calls, isCutOff, isLocal }: Circumstances,
): { readonly pulse: Pulse; readonly verdict: Verdict } {
  const checked = { ...pulse, by: outcome.by, lastCheckAt: at };
  if (outcome.kind === 'good') {
    return { pulse: { ...checked, lastOkAt: at, misses: 0, quietSince: at }, verdict: 'alive' };
  }
  // A call is no reason for a silence that began before it.
  const wasSilent = isLocal && outcome.isSilent === true && pulse.misses > 0;
  if (calls > 0 && at - pulse.quietSince < busyPatience && !isCutOff && !wasSilent) {
    return { pulse: checked, verdict: 'busy' };
  }
  const misses = pulse.misses + 1;
  return { pulse: { ...checked, misses }, verdict: misses >= missLimit ? 'dead' : 'missed' };
}

/** What calls and checks of the recent past say. */
export interface Recent {
  readonly calls: number;
  readonly failedCalls: number;
  readonly checks: number;
  /** Median of the checks alone: how long a call takes is up to the tool. A missed one counts as the limit. */
  readonly checkMs?: number;
}

/** What is wrong with a server that still answers. */
export type Ailment =
  | { readonly kind: 'silent'; readonly misses: number }
  | { readonly kind: 'busy'; readonly quietFor: number }
  | { readonly kind: 'failing'; readonly calls: number; readonly failed: number }
  | { readonly kind: 'slow'; readonly milliseconds: number };

/**
 * What is wrong, the worst first. It takes less to stay ill than to fall ill, so that a server at the edge does not
 * flicker.
 */
export function ailmentOf(
  pulse: Pulse,
  recent: Recent,
  before: Ailment | undefined,
  { interval, timeout }: HealthTiming,
): Ailment | undefined {
  if (pulse.misses >= missLimit - 1) return { kind: 'silent', misses: pulse.misses };
  const quietFor = pulse.lastCheckAt - pulse.quietSince;
  if (quietFor >= missLimit * interval) return { kind: 'busy', quietFor };
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
  return wasFailing ? rate >= 0.25 : calls >= fewestCalls && rate >= 0.5;
}

function isSlow({ checks, checkMs = 0 }: Recent, timeout: number, wasSlow: boolean): boolean {
  return wasSlow ? checkMs > timeout / 4 : checks >= fewestChecks && checkMs > timeout / 2;
}

/** Fewer say nothing. */
const fewestCalls = 5;
const fewestChecks = 3;
