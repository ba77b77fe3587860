import { fstatSync } from 'node:fs';

export interface LastAnswers {
  /** Milliseconds after which what is not answered is refused. */
  readonly patience: number;
  /** Whether nobody is there to read an answer, where that can be seen without writing one. */
  readonly isGone?: () => boolean;
}

/**
 * For a program that a client talks to over its standard streams. The client need not be there any more when its end of
 * our input has closed: the program that started us has then ended as well.
 */
export function lastAnswersToParent(): LastAnswers {
  const parent = process.ppid;
  const isFile = fstatSync(process.stdout.fd).isFile();
  return { patience: 30_000, isGone: () => !isFile && process.ppid !== parent };
}
