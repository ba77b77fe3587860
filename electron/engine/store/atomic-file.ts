import { readFile } from 'node:fs/promises';
import writeAtomically from 'write-file-atomic';
import { ProblemError, problem } from '../../../shared/error/problem.ts';

/**
 * Replaces a file as one step: temporary file, fsync, rename. A kill at any moment leaves the old or the new text.
 * A symbolic link keeps being one. Rejects with ProblemError `hub.disk_full` or `config.unwritable`.
 */
export async function writeFileAtomic(
  file: string,
  text: string,
  options: { readonly mode?: number } = {},
): Promise<void> {
  try {
    await writeAtomically(file, text, { encoding: 'utf8', ...options });
  } catch (error) {
    throw writeProblem(file, error);
  }
}

/** The file's text, or undefined when there is no such file. Other failures reject as they are. */
export async function readTextIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The system's error code of a thrown value, for example `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);
const refusedCodes: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'EISDIR',
  'ENOTDIR',
  'ENOENT',
]);

function writeProblem(file: string, error: unknown): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  const evidence = { file, error: code };
  if (fullCodes.has(code)) {
    const sentence = `The disk is full: ${file} could not be written, the old version is untouched.`;
    return new ProblemError(
      problem('hub.disk_full', sentence, 'Free some space, then try again.', evidence),
      {
        cause: error,
      },
    );
  }
  if (!refusedCodes.has(code)) return error;
  const sentence = `${file} cannot be written (${code}).`;
  const fix = 'Give yourself write permission for this file and its folder, then try again.';
  return new ProblemError(problem('config.unwritable', sentence, fix, evidence), { cause: error });
}
