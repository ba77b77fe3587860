import { type Problem, ProblemError } from '../../../../shared/error/problem.ts';
import {
  type ChosenLimits,
  type LimitName,
  type LimitValues,
  type LimitView,
  limitNames,
} from '../../../../shared/model/hub/limits.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import { checkLimit, type LimitSources, type ResolvedLimits, resolveLimits } from './resolve-limits.ts';

/** The limits in force. They may change at any time, so read a limit each time it is needed. */
export class Limits implements Disposable {
  #sources: LimitSources;
  #resolved: ResolvedLimits;
  readonly #changed = new Emitter<readonly LimitView[]>();
  readonly onChange = this.#changed.event;

  /** Uses the defaults if no sources are given. */
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

  /** Throws `hub.bad_limit` with every invalid value. */
  requireValid(): void {
    const [first, ...others] = this.problems;
    if (first === undefined) return;
    const sentence = [first, ...others].map((bad) => bad.sentence).join(' ');
    throw new ProblemError({ ...first, sentence, evidence: this.problems.flatMap((bad) => bad.evidence) });
  }

  list(): readonly LimitView[] {
    return this.#resolved.views;
  }

  /**
   * Timeout of every call in milliseconds, if somebody chose one. The documented default is for calls over
   * REST: by default Patchbay does not cut off a client's call (US3.3).
   */
  get callTimeout(): number | undefined {
    return this.#resolved.callTimeout;
  }

  choose(chosen: ChosenLimits): void {
    const next = resolveLimits({ ...this.#sources, chosen });
    const known = new Set(this.#resolved.problems.map(({ sentence }) => sentence));
    const [newProblem] = next.problems.filter(({ sentence }) => !known.has(sentence));
    if (newProblem !== undefined) throw new ProblemError(newProblem);
    this.#sources = { ...this.#sources, chosen };
    this.#resolved = next;
    this.#changed.fire(next.views);
  }

  chosenWith(name: LimitName, value: number | undefined): ChosenLimits {
    const refusal = value === undefined ? undefined : checkLimit(name, value);
    if (refusal !== undefined) throw new ProblemError(refusal);
    const { [name]: _before, ...others } = this.#sources.chosen;
    return value === undefined ? others : { ...others, [name]: value };
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** Reports invalid values, each as a problem of its own, until they are corrected. */
export function reportInvalidLimits(
  limits: Limits,
  problems: { set(cause: string, problem: Problem | undefined): void },
): Disposable {
  const show = () => {
    // A variable and a setting of the same limit may both be invalid.
    for (let index = 0; index < limitNames.length * 2; index += 1)
      problems.set(`limit ${index}`, limits.problems[index]);
  };
  show();
  return limits.onChange(show);
}
