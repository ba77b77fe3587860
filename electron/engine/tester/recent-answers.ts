import { ProblemError, problem } from '../../../shared/error/problem.ts';

/**
 * The last complete answers, for saving to a file: always the latest, and more of them while they are small.
 */
export class RecentAnswers {
  readonly #byRun = new Map<string, Buffer>();
  #bytes = 0;

  add(runId: string, answer: Buffer): void {
    this.#byRun.set(runId, answer);
    this.#bytes += answer.length;
    for (const [oldest, { length }] of this.#byRun) {
      if (oldest === runId || (this.#byRun.size <= maxRuns && this.#bytes <= maxBytes)) break;
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

const maxRuns = 20;
const maxBytes = 64_000_000;
