import { fstatSync } from 'node:fs';

export interface DrainOptions {
  /** Milliseconds after which unanswered requests are refused. */
  readonly timeoutMs: number;
  /** Returns true once nobody is left to read an answer, if that shows without writing one. */
  readonly isPeerGone?: () => boolean;
}

/**
 * Options for a program that a client talks to over its standard streams. The client may be gone when our
 * input ends: then the program that started us has ended as well.
 */
export function drainToParent(): DrainOptions {
  const parent = process.ppid;
  const isFile = fstatSync(process.stdout.fd).isFile();
  return { timeoutMs: 30_000, isPeerGone: () => !isFile && process.ppid !== parent };
}
