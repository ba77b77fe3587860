import { ProblemError, problem, toProblem } from '../../../../shared/error/problem.ts';
import { errorCode } from './atomic-file.ts';

/** Explains why a file that a person asked for could not be written. */
export function unsavedFile(file: string, error: unknown): ProblemError {
  const code = errorCode(error instanceof ProblemError ? error.cause : error) ?? '';
  const fix = fixes[code] ?? 'Choose another folder, or get write permission for this one.';
  const evidence = { file, reason: toProblem(error).sentence };
  const unsaved = problem('app.save_failed', `${file} could not be written.`, fix, evidence);
  return new ProblemError(unsaved, { cause: error });
}

const missingFolder = 'Its folder does not exist: create it, or choose another one.';
const fullDisk = 'Free some space, or choose another folder.';

const fixes: Readonly<Record<string, string>> = {
  ENOENT: missingFolder,
  ENOTDIR: missingFolder,
  ENOSPC: fullDisk,
  EDQUOT: fullDisk,
  EISDIR: 'This is a folder: choose another name.',
};
