import { ConsecutiveBreaker } from 'cockatiel';
import type { BreakerSnapshot } from '../contract.ts';

/** When a circuit opens, is tried again, and closes. */
export interface CircuitRules {
  /** Failures in a row that open it. */
  readonly failures: number;
  /** Milliseconds before the next call is let through as a trial. */
  readonly cooldown: number;
  /** Trials in a row that close it, and as many may be under way. */
  readonly successes: number;
}

/** What a call says of its tool; `undecided` where it was cancelled or never got there. */
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
 * The circuit of one tool that has failed. When it opens is decided by a breaker of cockatiel; the states are our own,
 * so that a call goes through without a promise of its own, and time is the program's clock.
 */
export class Circuit {
  readonly #rules: CircuitRules;
  readonly #breaker: ConsecutiveBreaker;
  #state: State = { kind: 'closed' };
  /** Grows each time it opens or closes: calls that began before no longer count. */
  #round = 0;

  constructor(rules: CircuitRules, kept?: CircuitStatus) {
    this.#rules = rules;
    this.#breaker = new ConsecutiveBreaker(rules.failures);
    if (kept?.openedAt === undefined || kept.until === undefined) return;
    this.#breaker.state = kept.failures;
    this.#state = { kind: 'open', openedAt: kept.openedAt, until: kept.until };
  }

  /** Nothing speaks against the tool: the circuit may as well be forgotten. */
  get isSound(): boolean {
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

  /** When a call may be let through; now, if one may be at once. */
  opensAt(now: number): number {
    const state = this.#state;
    if (state.kind === 'open') return Math.max(now, state.until);
    // Trials are under way and their outcome is near: as long as a trial would take to be allowed.
    return state.kind === 'half-open' && this.#isFull(state) ? now + trialPatience : now;
  }

  /** Lets a call through, to be told of by {@link leave} with what this returns. Only where {@link opensAt} is now. */
  enter(now: number): number {
    const state = this.#state;
    if (state.kind === 'open' && now >= state.until) {
      this.#state = { ...state, kind: 'half-open', successes: 0, trials: 1 };
    } else if (state.kind === 'half-open') {
      this.#state = { ...state, trials: state.trials + 1 };
    }
    return this.#round;
  }

  /** A call is over. `round`: what {@link enter} returned; a call that began without a circuit names none. */
  leave(round: number | undefined, verdict: Verdict, now: number): void {
    if (round !== this.#round && !(round === undefined && this.isClosed)) return;
    if (this.#state.kind === 'half-open') this.#tried(this.#state, verdict, now);
    else if (verdict === 'success') this.#breaker.success();
    else if (verdict === 'failure' && this.#breaker.failure()) this.#open(now);
  }

  #tried(state: State & { readonly kind: 'half-open' }, verdict: Verdict, now: number): void {
    const trials = state.trials - 1;
    const successes = state.successes + (verdict === 'success' ? 1 : 0);
    if (verdict === 'failure') {
      this.#breaker.failure();
      this.#open(now);
    } else if (successes >= this.#rules.successes) this.#close();
    else this.#state = { ...state, trials, successes };
  }

  #isFull({ trials, successes }: State & { readonly kind: 'half-open' }): boolean {
    return trials + successes >= this.#rules.successes;
  }

  #open(now: number): void {
    this.#round += 1;
    this.#state = { kind: 'open', openedAt: now, until: now + this.#rules.cooldown };
  }

  #close(): void {
    this.#round += 1;
    this.#breaker.success();
    this.#state = { kind: 'closed' };
  }
}

/** Milliseconds after which a call that was refused because of trials under way had better come again. */
const trialPatience = 1_000;
