import { type Problem, ProblemError } from '../../../../shared/error/problem.ts';
import type { ChosenLimits, LimitName, LimitValues, LimitView } from '../../../../shared/model/limits.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { CircuitRules } from '../../route/resilience/circuit.ts';
import { documentedRetry, type RetryRules } from '../../route/resilience/retry.ts';
import { judgeLimit, type LimitSources, type ResolvedLimits, resolveLimits } from './resolve-limits.ts';

/** The numbers in force; they may be others at any time, so whoever needs one asks when it needs it. */
export class Limits implements Disposable {
  #sources: LimitSources;
  #resolved: ResolvedLimits;
  readonly #changed = new Emitter<readonly LimitView[]>();
  readonly onChange = this.#changed.event;

  /** The defaults, if nobody says anything else. */
  constructor(sources: LimitSources = { variables: {}, chosen: {} }) {
    this.#sources = sources;
    this.#resolved = resolveLimits(sources);
  }

  get current(): LimitValues {
    return this.#resolved.values;
  }

  get problems(): readonly Problem[] {
    return this.#resolved.problems;
  }

  /** Throws `hub.bad_limit`, naming every value that cannot be used. */
  refuseBad(): void {
    const [first, ...others] = this.problems;
    if (first === undefined) return;
    const sentence = [first, ...others].map((bad) => bad.sentence).join(' ');
    throw new ProblemError({ ...first, sentence, evidence: this.problems.flatMap((bad) => bad.evidence) });
  }

  list(): readonly LimitView[] {
    return this.#resolved.views;
  }

  /**
   * Milliseconds that every call may take, where somebody has said so. The document's default is for calls over REST:
   * no timeout of ours cuts a client's call unless it is asked for (US3.3).
   */
  get callTimeout(): number | undefined {
    return this.#resolved.callTimeout;
  }

  choose(chosen: ChosenLimits): void {
    const next = resolveLimits({ ...this.#sources, chosen });
    const known = new Set(this.#resolved.problems.map(({ sentence }) => sentence));
    const [fresh] = next.problems.filter(({ sentence }) => !known.has(sentence));
    if (fresh !== undefined) throw new ProblemError(fresh);
    this.#sources = { ...this.#sources, chosen };
    this.#resolved = next;
    this.#changed.fire(next.views);
  }

  chosenWith(name: LimitName, value: number | undefined): ChosenLimits {
    const refusal = value === undefined ? undefined : judgeLimit(name, value);
    if (refusal !== undefined) throw new ProblemError(refusal);
    const { [name]: _before, ...others } = this.#sources.chosen;
    return value === undefined ? others : { ...others, [name]: value };
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** The rules of retries, as they are when they are read. */
export function retryRules(limits: Pick<Limits, 'current'>): RetryRules {
  return {
    repeats: documentedRetry.repeats,
    get attempts() {
      return limits.current.retryMaxAttempts;
    },
    get backoff() {
      const { retryBaseMs, retryFactor, retryMaxDelayMs } = limits.current;
      return { ...documentedRetry.backoff, initial: retryBaseMs, factor: retryFactor, max: retryMaxDelayMs };
    },
  };
}

/** Those of circuits; one that has begun to count goes on by the number of failures it began with. */
export function circuitRules(limits: Pick<Limits, 'current'>): CircuitRules {
  return {
    get failures() {
      return limits.current.circuitFailureThreshold;
    },
    get cooldown() {
      return limits.current.circuitCooldown * 1_000;
    },
    get successes() {
      return limits.current.circuitHalfOpenMax;
    },
  };
}
