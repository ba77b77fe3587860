import { ProblemError, problem } from '../../../../shared/error/problem.ts';

/**
 * The last complete answers, for saving to a file: always the latest, and more of them while they are small.
 */
export class KeptAnswers {
  readonly #byRun = new Map<string, Buffer>();
  #bytes = 0;

  keep(runId: string, answer: Buffer): void {
    this.#byRun.set(runId, answer);
    this.#bytes += answer.length;
    for (const [oldest, { length }] of this.#byRun) {
      if (oldest === runId || (this.#byRun.size <= runsKept && this.#bytes <= bytesKept)) break;
      this.#byRun.delete(oldest);
      this.#bytes -= length;
    }
  }

  /** Throws `tester.run_gone`. */
  of(runId: string): string {
    const answer = this.#byRun.get(runId);
    if (answer !== undefined) return answer.toString('utf8');
    const sentence = 'The answer of this run is no longer available.';
    throw new ProblemError(problem('tester.run_gone', sentence, 'Run it again, then save the answer.'));
  }
}

const runsKept = 20;
const bytesKept = 64_000_000;
