import { ConsecutiveBreaker } from 'cockatiel';
import type { BreakerSnapshot } from '../contract.ts';

/** When a circuit opens, allows trials, and closes. */
export interface CircuitRules {
  /** Consecutive failures that open it. */
  readonly failures: number;
  /** Milliseconds before the next call is allowed as a trial. */
  readonly cooldownMs: number;
  /** Consecutive successful trials that close it; also the maximum number of concurrent trials. */
  readonly successes: number;
}

/** Result of a call for its circuit; `undecided` if it was cancelled or never reached the tool. */
export type Verdict = 'success' | 'failure' | 'undecided';

export type CircuitStatus = Omit<BreakerSnapshot, 'serverKey' | 'name'>;

type State =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly openedAt: number; readonly until: number }
  | {
      readonly kind: 'half-open';
      readonly openedAt: number;
      readonly until: number;
      readonly successes: number;
      readonly trials: number;
    };

/**
 * The circuit breaker of a tool that has failed. Cockatiel's breaker decides when it opens. The states are
 * our own, so that calls need no extra promise and time comes from the program's clock.
 */
export class Circuit {
  readonly #rules: CircuitRules;
  readonly #breaker: ConsecutiveBreaker;
  #state: State = { kind: 'closed' };
  /** Increases each time the circuit opens or closes; calls that started before no longer count. */
  #round = 0;

  constructor(rules: CircuitRules, stored?: CircuitStatus) {
    this.#rules = rules;
    this.#breaker = new ConsecutiveBreaker(rules.failures);
    if (stored?.openedAt === undefined || stored.until === undefined) return;
    this.#breaker.state = stored.failures;
    this.#state = { kind: 'open', openedAt: stored.openedAt, until: stored.until };
  }

  /** True if the tool has no failures, so that the circuit can be discarded. */
  get isHealthy(): boolean {
    return this.#state.kind === 'closed' && this.#breaker.state === 0;
  }

  get isClosed(): boolean {
    return this.#state.kind === 'closed';
  }

  get status(): CircuitStatus {
    const state = this.#state;
    return {
      state: state.kind,
      failures: this.#breaker.state,
      successes: state.kind === 'half-open' ? state.successes : 0,
      openedAt: state.kind === 'closed' ? undefined : state.openedAt,
      until: state.kind === 'closed' ? undefined : state.until,
    };
  }

  /** Returns when a call may pass; `now` if it may pass at once. */
  admitsAt(now: number): number {
    const state = this.#state;
    if (state.kind === 'open') return Math.max(now, state.until);
    // Trials are in progress and will end soon.
    return state.kind === 'half-open' && this.#hasEnoughTrials(state) ? now + trialRetryMs : now;
  }

  /**
   * Admits a call and returns the round to pass to {@link leave}. Only valid if {@link opensAt} returns
   * `now`.
   */
  enter(now: number): number {
    const state = this.#state;
    if (state.kind === 'open' && now >= state.until) {
      this.#state = { ...state, kind: 'half-open', successes: 0, trials: 1 };
    } else if (state.kind === 'half-open') {
      this.#state = { ...state, trials: state.trials + 1 };
    }
    return this.#round;
  }

  /**
   * Records the end of a call. `round` is the return value of {@link enter}; undefined if the call started
   * without a circuit.
   */
  leave(round: number | undefined, verdict: Verdict, now: number): void {
    if (round !== this.#round && !(round === undefined && this.isClosed)) return;
    if (this.#state.kind === 'half-open') this.#recordTrial(this.#state, verdict, now);
    else if (verdict === 'success') this.#breaker.success();
    else if (verdict === 'failure' && this.#breaker.failure()) this.#open(now);
  }

  #recordTrial(state: State & { readonly kind: 'half-open' }, verdict: Verdict, now: number): void {
    const trials = state.trials - 1;
    const successes = state.successes + (verdict === 'success' ? 1 : 0);
    if (verdict === 'failure') {
      this.#breaker.failure();
      this.#open(now);
    } else if (successes >= this.#rules.successes) this.#close();
    else this.#state = { ...state, trials, successes };
  }

  #hasEnoughTrials({ trials, successes }: State & { readonly kind: 'half-open' }): boolean {
    return trials + successes >= this.#rules.successes;
  }

  #open(now: number): void {
    this.#round += 1;
    this.#state = { kind: 'open', openedAt: now, until: now + this.#rules.cooldownMs };
  }

  #close(): void {
    this.#round += 1;
    this.#breaker.success();
    this.#state = { kind: 'closed' };
  }
}

/** Milliseconds until the suggested retry of a call that was refused because of running trials. */
const trialRetryMs = 1_000;
