import { open } from 'node:fs/promises';
import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { removeFile, replaceFile } from '../../store/files/replace-file.ts';

/**
 * Writes a file line by line and never leaves a partial file. Rejects with `app.save_failed` if it cannot be
 * written.
 */
export async function writeLines(
  file: string,
  give: (write: (line: string) => Promise<void>) => Promise<number>,
): Promise<number> {
  const draft = `${file}.part`;
  try {
    const handle = await open(draft, 'w', 0o600);
    const count = await give((line) => handle.appendFile(`${line}\n`)).finally(() => handle.close());
    await replaceFile(draft, file);
    return count;
  } catch (error) {
    await removeFile(draft).catch(() => undefined);
    throw error instanceof ProblemError ? error : new ProblemError(unwritable(file, error), { cause: error });
  }
}

function unwritable(file: string, error: unknown) {
  const sentence = `${file} could not be written.`;
  return problem('app.save_failed', sentence, 'Choose another folder, or free some space.', {
    file,
    error: String(error),
  });
}
