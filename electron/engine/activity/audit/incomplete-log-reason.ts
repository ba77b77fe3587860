import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { StateDb } from '../../store/db/state-db.ts';
import { headFileOf, missingSince, readHead } from './head-file.ts';

/** Returns a sentence that says why a folder's log is incomplete; undefined if nothing suggests so. */
export async function incompleteLogReason(file: string, state: StateDb): Promise<string | undefined> {
  const end = await readHead(headFileOf(file));
  if (end !== undefined) {
    const noLogReason = await missingSince(end, undefined);
    const missing = await state.runIfThere((db) => missingSince(end, db), noLogReason);
    if (missing !== undefined) return missing;
  }
  const [aside] = await setAsideOf(file);
  return (
    aside &&
    `A damaged log was set aside and a new one was created: ${aside}. Once you know why, move it elsewhere.`
  );
}

async function setAsideOf(file: string): Promise<readonly string[]> {
  const names = await readdir(dirname(file)).catch(() => []);
  const mark = `${basename(file)}.damaged-`;
  return names
    .filter((name) => name.startsWith(mark) && !/(?:\.jsonl|-wal|-shm|\.tmp)$/.test(name))
    .map((name) => join(dirname(file), name));
}
