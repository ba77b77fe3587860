import type { LimitValues } from '../../../shared/model/hub/limits.ts';
import type { ServerCallOptions } from './call-attempts.ts';
import type { CircuitRules } from './resilience/circuit.ts';
import { defaultRetry, type RetryRules } from './resilience/retry.ts';

/** The limits in force; read each time, since they may change. */
export interface LimitsInForce {
  readonly current: LimitValues;
  /** Milliseconds that every call may take, if somebody chose them. */
  readonly callTimeout: number | undefined;
}

type OptionsOf = (serverKey: string) => ServerCallOptions | undefined;

/**
 * Adds the call timeout of the limits, if one was chosen, to call options whose server has none of its own.
 */
export function withCallTimeout(
  configured: OptionsOf,
  limits: Pick<LimitsInForce, 'callTimeout'>,
): OptionsOf {
  const bounded = new WeakMap<ServerCallOptions, ServerCallOptions>();
  return (serverKey) => {
    const options = configured(serverKey);
    const { callTimeout } = limits;
    if (callTimeout === undefined || options === undefined || options.callTimeout !== undefined)
      return options;
    const known = bounded.get(options);
    if (known?.callTimeout === callTimeout) return known;
    const made = { ...options, callTimeout };
    bounded.set(options, made);
    return made;
  };
}

/** Retry rules that follow the limits. */
export function retryRules(limits: Pick<LimitsInForce, 'current'>): RetryRules {
  return {
    retriesLost: defaultRetry.retriesLost,
    get maxAttempts() {
      return limits.current.retryMaxAttempts;
    },
    get backoff() {
      const { retryBaseMs, retryFactor, retryMaxDelayMs } = limits.current;
      return { ...defaultRetry.backoff, initial: retryBaseMs, factor: retryFactor, max: retryMaxDelayMs };
    },
  };
}

/**
 * Circuit breaker rules that follow the limits; a circuit that has started counting keeps its failure
 * threshold.
 */
export function circuitRules(limits: Pick<LimitsInForce, 'current'>): CircuitRules {
  return {
    get failures() {
      return limits.current.circuitFailureThreshold;
    },
    get cooldownMs() {
      return limits.current.circuitCooldown * 1_000;
    },
    get successes() {
      return limits.current.circuitHalfOpenMax;
    },
  };
}
