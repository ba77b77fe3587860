import { open } from 'node:fs/promises';
import { ProblemError } from '../../../../shared/error/problem.ts';
import { removeFile, replaceFile } from '../../store/files/replace-file.ts';
import { unsavedFile } from '../../store/files/unsaved-file.ts';

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
    throw error instanceof ProblemError ? error : unsavedFile(file, error);
  }
}
