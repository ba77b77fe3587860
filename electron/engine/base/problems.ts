import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../../shared/error/problem.ts';

/** The hub's own problems, one per cause, so that each disappears with its cause. */
export class Problems {
  readonly #problems = new Map<string, Problem>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  set(cause: string, problem: Problem | undefined): void {
    if (isDeepStrictEqual(problem, this.#problems.get(cause))) return;
    if (problem === undefined) this.#problems.delete(cause);
    else this.#problems.set(cause, problem);
    this.#changed();
  }

  all(): readonly Problem[] {
    return [...this.#problems.values()];
  }
}
