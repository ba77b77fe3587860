import type { Problem } from '../../../../shared/error/problem.ts';
import type { ActivityWorkerOutput } from '../contract.ts';

/**
 * Reports problems, and only once that there are none: a database reports success with each write, and each
 * message wakes the hub's thread.
 */
export class Reports {
  readonly #post: (output: ActivityWorkerOutput) => void;
  readonly #healthy = new Set<string>();

  constructor(post: (output: ActivityWorkerOutput) => void) {
    this.#post = post;
  }

  report(about: string, problem: Problem | undefined): void {
    if (problem !== undefined) this.#healthy.delete(about);
    else if (this.#healthy.has(about)) return;
    else this.#healthy.add(about);
    this.#post({ kind: 'problem', about, problem });
  }
}
