import { stat } from 'node:fs/promises';
import { type Problem, problem } from '../../../../shared/error/problem.ts';
import { errorCode } from '../files/atomic-file.ts';
import { removeFile, replaceFile } from '../files/replace-file.ts';
import { releaseFiles } from './connection.ts';
import type { Damage } from './examine.ts';
import { type LossMark, lossFix } from './loss-mark.ts';
import { salvage } from './salvage.ts';

/** A loss, and the file with the rows that could be read. */
interface Loss {
  readonly problem: Problem;
  readonly saved: string | undefined;
}

/**
 * Renames a damaged database and its log, so that a new one can take its place, and saves the rows that can
 * be read. Resolves to the problem to report; rejects with the system's error if it cannot be renamed. Sets
 * the mark first, if there is one.
 */
export async function setAside(file: string, damage: Damage, now: number, mark?: LossMark): Promise<Loss> {
  const aside = `${file}.damaged-${new Date(now).toISOString().replace(/[:.]/g, '-')}`;
  const sentence = `The database ${file} was damaged: ${damage.why}. It was set aside, and a new one was created.`;
  await mark?.set(problem('access.lost', sentence, lossFix, { file, 'set aside as': aside }));
  await releaseFiles();
  await replaceFile(file, aside);
  await moveLog(file, aside);
  const saved = `${aside}.jsonl`;
  const count = await salvage(aside, saved, damage.fullSize).catch((error: unknown) => reason(error));
  // Only the salvage needed these files.
  await removeFile(`${aside}-shm`);
  await removeEmpty(`${aside}-wal`);
  const isSaved = typeof count === 'number';
  const defaultFix = isSaved
    ? 'No action is needed. The rows that could still be read are in the JSON Lines file named below.'
    : 'No action is needed. If you need the old data, restore it from a backup while Patchbay is not running.';
  const evidence = {
    file,
    'set aside as': aside,
    'rows read': count,
    'rows saved in': isSaved ? saved : undefined,
  };
  const why =
    mark === undefined
      ? problem('hub.database_unreadable', sentence, defaultFix, evidence)
      : problem('access.lost', sentence, lossFix, evidence);
  return { problem: why, saved: isSaved ? saved : undefined };
}

/** Data in the old log belongs to the old file, and must not be applied to the new one. */
async function moveLog(file: string, aside: string): Promise<void> {
  const log = await stat(`${file}-wal`).catch(() => undefined);
  if (log !== undefined && log.size > 0) await replaceFile(`${file}-wal`, `${aside}-wal`);
  for (const part of ['-wal', '-shm']) await removeFile(file + part);
}

async function removeEmpty(file: string): Promise<void> {
  const info = await stat(file).catch(() => undefined);
  if (info?.size === 0) await removeFile(file);
}

function reason(error: unknown): string {
  return `none (${errorCode(error) ?? String(error)})`;
}
