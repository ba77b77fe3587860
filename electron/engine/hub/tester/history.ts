import type { TestAnswer, TestRecord, TestTarget } from '../../../../shared/model/tester.ts';
import { beginning, shownAnswer, type WholeAnswer } from './answers.ts';

/** Takes secrets out of what is kept of a run at this server. */
export type MaskText = (serverKey: string, text: string) => string;

/** The last runs of everything that was tried, without secrets, in memory only. */
export class TestHistory {
  /** The least recently used one first. */
  readonly #byTarget = new Map<string, readonly TestRecord[]>();
  readonly #mask: MaskText;

  constructor(mask: MaskText) {
    this.#mask = mask;
  }

  /** Newest first. */
  of(target: TestTarget): readonly TestRecord[] {
    return this.#byTarget.get(idOf(target)) ?? [];
  }

  add(target: TestTarget, argumentsText: string, answer: WholeAnswer, run: TestAnswer): void {
    const { serverKey } = target;
    const { text, ...facts } = shownAnswer(answer, run, longest);
    const given = Buffer.from(argumentsText);
    const record = {
      ...facts,
      text: this.#mask(serverKey, text),
      arguments: this.#mask(serverKey, given.length > longest ? beginning(given, longest) : argumentsText),
    };
    const id = idOf(target);
    const runs = [record, ...this.of(target)].slice(0, runsKept);
    this.#byTarget.delete(id);
    this.#byTarget.set(id, runs);
    for (const [oldest] of this.#byTarget) {
      if (this.#byTarget.size <= targetsKept) break;
      this.#byTarget.delete(oldest);
    }
  }

  clear(target: TestTarget): void {
    this.#byTarget.delete(idOf(target));
  }
}

const runsKept = 50;
const targetsKept = 200;
/** Bytes that are kept of each text: what is looked at again is small, and 10,000 runs must not fill the memory. */
const longest = 8_000;

function idOf({ kind, serverKey, name }: TestTarget): string {
  return JSON.stringify([kind, serverKey, name]);
}
