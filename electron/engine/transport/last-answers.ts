import { fstatSync } from 'node:fs';

export interface LastAnswers {
  /** Milliseconds after which unanswered requests are refused. */
  readonly patience: number;
  /** Returns true once nobody is left to read an answer, if that shows without writing one. */
  readonly isGone?: () => boolean;
}

/**
 * Options for a program that a client talks to over its standard streams. The client may be gone when our
 * input ends: then the program that started us has ended as well.
 */
export function lastAnswersToParent(): LastAnswers {
  const parent = process.ppid;
  const isFile = fstatSync(process.stdout.fd).isFile();
  return { patience: 30_000, isGone: () => !isFile && process.ppid !== parent };
}
