import { resolve } from 'node:path';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';

/** Returns the path from the current folder; throws ProblemError if that folder was deleted and the path needs it. */
export function absolutePath(path: string): string {
  try {
    return resolve(path);
  } catch (cause) {
    const found = problem(
      'app.invalid_request',
      `The current folder no longer exists, so there is no path to ${path}.`,
      'Change to another folder, or use an absolute path.',
    );
    throw new ProblemError(found, { cause });
  }
}
