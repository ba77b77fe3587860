import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { TestAnswer, TestRecord, TestTarget } from '../../../shared/model/tool/tester.ts';
import { maskJson } from '../base/mask/mask-json.ts';
import type { MaskText } from '../secrets/known-secrets.ts';
import type { WholeAnswer } from './answers.ts';

/** The last runs of each target, without secrets, in memory only. */
export class TestHistory {
  /** Least recently used first. */
  readonly #byTarget = new Map<string, readonly TestRecord[]>();
  readonly #redact: MaskText;

  constructor(redact: MaskText) {
    this.#redact = redact;
  }

  /** Newest first. */
  of(target: TestTarget): readonly TestRecord[] {
    return this.#byTarget.get(idOf(target)) ?? [];
  }

  add(target: TestTarget, argumentsText: string, answer: WholeAnswer, run: TestAnswer): void {
    const { text, isCut } = this.#masked(answer.bytes.toString('utf8'));
    const maskedArguments = argumentsText.trim() === '' ? '' : this.#masked(argumentsText).text;
    const record = { ...run, text, whole: !isCut, arguments: maskedArguments };
    const id = idOf(target);
    const runs = [record, ...this.of(target)].slice(0, maxRuns);
    this.#byTarget.delete(id);
    this.#byTarget.set(id, runs);
    for (const [oldest] of this.#byTarget) {
      if (this.#byTarget.size <= maxTargets) break;
      this.#byTarget.delete(oldest);
    }
  }

  clear(target: TestTarget): void {
    this.#byTarget.delete(idOf(target));
  }

  #masked(json: string) {
    return maskJson(json, { redact: this.#redact, maxLength: maxText, maxStringLength: maxText / 2 });
  }
}

const maxRuns = 50;
const maxTargets = 200;
/** Characters stored per text: enough to look at again, while 10,000 runs must not fill the memory. */
const maxText = 8_000;

function idOf({ kind, serverKey, name }: TestTarget): string {
  return JSON.stringify([kind, serverKey, name]);
}

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
      if (oldest === runId || (this.#byRun.size <= maxAnswers && this.#bytes <= maxAnswerBytes)) break;
      this.#byRun.delete(oldest);
      this.#bytes -= length;
    }
  }

  /** Throws `tester.run_gone`. */
  of(runId: string): string {
    const answer = this.#byRun.get(runId);
    if (answer !== undefined) return answer.toString('utf8');
    const sentence = 'The result of this run is no longer available.';
    throw new ProblemError(problem('tester.run_gone', sentence, 'Run it again, then save the result.'));
  }
}

const maxAnswers = 20;
const maxAnswerBytes = 64_000_000;
