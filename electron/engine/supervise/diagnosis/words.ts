import { stripVTControlCharacters } from 'node:util';
import type { CauseCode } from '../../../../shared/error/cause.ts';
import type { ChildExit } from '../failure-problem.ts';

/** Output of a program that failed, its last lines first cut to what a sentence may need. */
export interface Words {
  /** Lines of stdout, then of stderr, the oldest first. */
  readonly lines: readonly string[];
  /** The program that was started. */
  readonly command: string;
  /** Arguments that the program was started with. */
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly exit: ChildExit | undefined;
}

/** A reason for a failure, told to people. */
export interface Diagnosis {
  readonly code: CauseCode;
  readonly subject?: string | undefined;
  readonly sentence: string;
  readonly fix: string;
}

/** A row of the table: the reason, if the words show it. */
export type Row = (words: Words) => Diagnosis | undefined;

/** Row about the last line that matches; `tell` may find that the line means something else. */
export function line(
  pattern: RegExp,
  tell: (groups: readonly string[], words: Words) => Diagnosis | undefined,
): Row {
  return (words) => {
    const match = words.lines.findLast((text) => pattern.test(text))?.match(pattern);
    return match
      ? tell(
          match.slice(1).map((group) => group ?? ''),
          words,
        )
      : undefined;
  };
}

/** The first group of the last line that matches. */
export function found({ lines }: Words, pattern: RegExp): string | undefined {
  return lines.findLast((text) => pattern.test(text))?.match(pattern)?.[1];
}

/** A line without colours and margins, short enough for any pattern. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text.slice(0, longestLine))
    .replace(/^[\s│|╰─▶×]+/u, '')
    .trimEnd();
}

const longestLine = 600;

/** Words of a program within a sentence. */
export function quoted(text: string): string {
  const short = text.trim().replace(/\.{1,3}$/, '');
  return short.length <= longestQuote ? short : `${short.slice(0, longestQuote)}…`;
}

const longestQuote = 160;
