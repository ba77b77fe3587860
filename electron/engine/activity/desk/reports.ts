import type { Problem } from '../../../../shared/error/problem.ts';
import type { DeskOutput } from '../contract.ts';

/**
 * Reports problems, and only once that there are none: a database reports success with each write, and each
 * message wakes the hub's thread.
 */
export class Reports {
  readonly #post: (output: DeskOutput) => void;
  readonly #well = new Set<string>();

  constructor(post: (output: DeskOutput) => void) {
    this.#post = post;
  }

  tell(about: string, problem: Problem | undefined): void {
    if (problem !== undefined) this.#well.delete(about);
    else if (this.#well.has(about)) return;
    else this.#well.add(about);
    this.#post({ kind: 'problem', about, problem });
  }
}
