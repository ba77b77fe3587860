import { type BackoffOptions, backoffDelay } from '../../base/backoff.ts';
import { ConnectionClosedError } from '../../rpc/message.ts';
import type { FailureKind } from './failure.ts';

/** How often and when a call is sent again (REQ-MCP-CALL-002). */
export interface RetryRules {
  /** The first one included. */
  readonly attempts: number;
  readonly backoff: BackoffOptions;
  /** Whether what may have run is sent again, where that harms nothing. */
  readonly repeats: boolean;
}

/** Integration design: 3 attempts, 500 ms, factor 2, cap 30 s, jitter 20 %. */
export const documentedRetry: RetryRules = {
  attempts: 3,
  backoff: { initial: 500, factor: 2, max: 30_000, jitter: 0.2 },
  repeats: true,
};

/** For a program whose servers stay down: what provably did not leave goes once more, if there is a way. */
export const unsentOnce: RetryRules = { ...documentedRetry, attempts: 2, repeats: false };

/** An attempt that failed, with what decides about the next one. */
export interface FailedAttempt {
  readonly kind: FailureKind;
  readonly error: unknown;
  /** How many there were, this one included. */
  readonly attempts: number;
  /** Nothing is harmed if it has run and runs again. */
  readonly mayRepeat: boolean;
  /** The server is reached over another connection by now. */
  readonly movedOn: boolean;
  /** Milliseconds left of the call's limit, if it has one. */
  readonly left: number | undefined;
}

/**
 * Milliseconds to wait before the call is sent again; undefined where it is not to be. What provably did not leave may
 * always be; what may have run, only where that harms nothing.
 */
export function pauseBeforeRetry(
  failed: FailedAttempt,
  { attempts, backoff, repeats }: RetryRules,
  random: () => number,
): number | undefined {
  const isTransient = failed.kind === 'unsent' || (failed.kind === 'lost' && failed.mayRepeat && repeats);
  if (!isTransient || failed.attempts >= attempts) return undefined;
  const asked = failed.error instanceof ConnectionClosedError ? failed.error.retryAfter : undefined;
  if (asked !== undefined && asked > backoff.max) return undefined;
  const isFree = failed.kind === 'unsent' && failed.movedOn && failed.attempts === 1;
  const own = isFree ? 0 : backoffDelay(backoff, failed.attempts - 1, random);
  const pause = Math.max(own, asked ?? 0);
  return failed.left !== undefined && pause >= failed.left ? undefined : pause;
}
