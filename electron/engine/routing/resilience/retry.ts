import { type BackoffOptions, backoffDelay } from '../../base/backoff.ts';
import type { RawItem } from '../../catalogue/contract.ts';
import { ConnectionClosedError } from '../../jsonrpc/message.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import type { FailureKind } from './failure.ts';
import { idempotencyKeyOf } from './idempotency.ts';

/** When a call is retried (REQ-MCP-CALL-002). */
export interface RetryRules {
  /** Maximum number of attempts, including the first. */
  readonly maxAttempts: number;
  readonly backoff: BackoffOptions;
  /** True if a call that may have run is retried if that is safe. */
  readonly retriesLost: boolean;
}

/** From the integration design: 3 attempts, 500 ms, factor 2, cap 30 s, jitter 20 %. */
export const defaultRetry: RetryRules = {
  maxAttempts: 3,
  backoff: { initial: 500, factor: 2, max: 30_000, jitter: 0.2 },
  retriesLost: true,
};

/**
 * For a program whose servers are not restarted: a call that was certainly not sent is tried once more, if
 * there is a connection.
 */
export const retryUnsentOnce: RetryRules = { ...defaultRetry, maxAttempts: 2, retriesLost: false };

/** A failed attempt, with what decides about a retry. */
export interface FailedAttempt {
  readonly kind: FailureKind;
  readonly error: unknown;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  /** True if it is safe to run it twice. */
  readonly mayRepeat: boolean;
  /** True if the server has a new connection by now. */
  readonly hasReconnected: boolean;
  /** Milliseconds that the call has already waited between attempts. */
  readonly waitedMs: number;
  /** Milliseconds left of the call's time limit, if it has one. */
  readonly leftMs: number | undefined;
}

/**
 * Returns the delay in milliseconds before the retry; undefined if there is none. A call that was certainly
 * not sent may always be retried; one that may have run, only if that is safe.
 */
export function retryDelay(
  failed: FailedAttempt,
  { maxAttempts: attempts, backoff, retriesLost }: RetryRules,
  random: () => number,
): number | undefined {
  const isTransient = failed.kind === 'unsent' || (failed.kind === 'lost' && failed.mayRepeat && retriesLost);
  if (!isTransient || failed.attempts >= attempts) return undefined;
  const requestedMs = failed.error instanceof ConnectionClosedError ? failed.error.retryAfterMs : undefined;
  // Clients mostly wait a minute, so a server that stays busy is waited for once.
  if (requestedMs !== undefined && failed.waitedMs + requestedMs > backoff.max) return undefined;
  const isImmediate = failed.kind === 'unsent' && failed.hasReconnected && failed.attempts === 1;
  const backoffMs = isImmediate ? 0 : backoffDelay(backoff, failed.attempts - 1, random);
  const delayMs = Math.max(backoffMs, requestedMs ?? 0);
  return failed.leftMs !== undefined && delayMs >= failed.leftMs ? undefined : delayMs;
}

/** Methods that change nothing, by the protocol. */
const readOnlyMethods: ReadonlySet<string> = new Set([
  'completion/complete',
  'ping',
  'prompts/get',
  'resources/read',
  'tasks/get',
  'tasks/list',
]);

/**
 * Checks whether a request that may have run may be sent again (requirements, rulings): it only reads, its
 * tool is annotated as safe to repeat, or its caller gave it an idempotency key.
 */
export function mayRepeat(request: RawRequest, tool: RawItem | undefined): boolean {
  if (request.method !== 'tools/call') return readOnlyMethods.has(request.method);
  return isSafeToRepeat(tool) || idempotencyKeyOf(request) !== undefined;
}

/** Checks whether a tool's annotations say that it may run more than once. */
export function isSafeToRepeat(tool: RawItem | undefined): boolean {
  const annotations = tool?.annotations;
  if (typeof annotations !== 'object' || annotations === null) return false;
  const { readOnlyHint, idempotentHint } = annotations as Readonly<Record<string, unknown>>;
  return readOnlyHint === true || idempotentHint === true;
}
