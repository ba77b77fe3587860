import { stripVTControlCharacters } from 'node:util';
import type { CauseCode } from '../../../../../shared/error/cause.ts';
import type { ChildExit } from './child-facts.ts';

/** Output of a failed program, as the rows read it. */
export interface ProgramOutput {
  /** Lines of stdout, then of stderr, oldest first. */
  readonly lines: readonly string[];
  /** Program that was started. */
  readonly command: string;
  /** Arguments of the program. */
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  readonly exit: ChildExit | undefined;
}

/** Cause of a failure, in words for people. */
export interface Diagnosis {
  readonly code: CauseCode;
  readonly subject?: string | undefined;
  readonly sentence: string;
  readonly fix: string;
}

/** Row of the table: returns the cause if the output shows it. */
export type DiagnosisRule = (words: ProgramOutput) => Diagnosis | undefined;

/** Row for the last line that matches; the callback may decide that it means something else. */
export function lineRule(
  pattern: RegExp,
  diagnose: (groups: readonly string[], words: ProgramOutput) => Diagnosis | undefined,
): DiagnosisRule {
  return (words) => {
    const match = words.lines.findLast((text) => pattern.test(text))?.match(pattern);
    return match
      ? diagnose(
          match.slice(1).map((group) => group ?? ''),
          words,
        )
      : undefined;
  };
}

/** Returns the first group of the last line that matches. */
export function firstGroup({ lines }: ProgramOutput, pattern: RegExp): string | undefined {
  return lines.findLast((text) => pattern.test(text))?.match(pattern)?.[1];
}

/** Strips colours and margins from a line, and limits its length for the patterns. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text.slice(0, maxLineLength))
    .replace(/^[\s│|╰─▶×]+/u, '')
    .trimEnd();
}

const maxLineLength = 600;

/** Shortens a program's words for use in a sentence. */
export function quoted(text: string): string {
  const short = text.trim().replace(/\.{1,3}$/, '');
  return short.length <= maxQuoteLength ? short : `${short.slice(0, maxQuoteLength)}…`;
}

const maxQuoteLength = 160;
