import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Problem, problem, toProblem } from '../../../../shared/error/problem.ts';
import { errorCode } from '../files/atomic-file.ts';
import { folderProblem } from '../files/data-dir.ts';
import { NotAFileError } from '../files/regular-file.ts';
import { wrongKindProblem } from '../files/wrong-kind-problem.ts';

/** Returns the problem for a database error; errors of neither files nor SQLite go to toProblem. */
export async function stateProblem(file: string, error: unknown): Promise<Problem> {
  const code = errorCode(error);
  if (code === undefined || error instanceof NotAFileError) return toProblem(error);
  if (isDamage(error)) return unreadable(file, code);
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return busy(file, code);
  const isFull = code === 'SQLITE_FULL' || (code.startsWith('SQLITE_IOERR') && (await hasNoRoom(file)));
  if (isFull) return folderProblem(dirname(file), 'ENOSPC');
  if (code === 'EISDIR') return wrongKindProblem(file, 'folder', 'file');
  if (isOfFiles(code)) return folderProblem(dirname(file), code);
  return toProblem(error);
}

/** Returns whether SQLite's error means that the file is not as SQLite left it. */
export function isDamage(error: unknown): boolean {
  const code = errorCode(error);
  return code !== undefined && /^SQLITE_(?:CORRUPT|NOTADB)/.test(code);
}

function isOfFiles(code: string): boolean {
  return /^SQLITE_(?:IOERR|READONLY|CANTOPEN|PERM|AUTH)/.test(code) || /^E[A-Z]+$/.test(code);
}

/** SQLite may report an I/O error if the disk has no room for a file beside the database. */
async function hasNoRoom(file: string): Promise<boolean> {
  const disk = await statfs(dirname(file)).catch(() => undefined);
  return disk !== undefined && disk.bavail * disk.bsize < smallFile;
}

const smallFile = 64 * 1024;

function unreadable(file: string, code: string): Problem {
  const sentence = `The database ${file} is damaged.`;
  const fix =
    'With the next change, Patchbay sets the file aside and creates a new one. If it does not, restart Patchbay.';
  return problem('hub.database_unreadable', sentence, fix, { file, error: code });
}

function busy(file: string, code: string): Problem {
  const sentence = `Another program keeps the database ${file} locked.`;
  const fix = 'Close the program that has it open. Patchbay then saves your changes.';
  return problem('hub.busy', sentence, fix, { file, error: code });
}
