import { join } from 'node:path';
import { z } from 'zod';
import { toProblem } from '../../../shared/error/problem.ts';
import { parseJson } from '../../../shared/json.ts';
import { systemClock } from '../base/clock.ts';
import { createStateDb } from '../store/db/state-db.ts';
import { readTextIfExists, writeFileAtomic, writePrivateFile } from '../store/files/atomic-file.ts';
import { type DataPaths, dataPaths } from '../store/files/data-dir.ts';
import { createFileLock } from '../store/files/file-lock.ts';
import { acquireInstanceLock } from '../store/files/instance-lock.ts';
import { removeFile } from '../store/files/replace-file.ts';
import { type Setup, setupFilesSchema, setupRowsSchema } from './setup.ts';
import { replaceSetupRows } from './setup-rows.ts';

/*
 * A restore is one step: the complete target state is first written to `run/restore.json`, in one atomic
 * write. From then on it is certain to happen: if the program is killed, the next start completes it before
 * reading anything else.
 */

const journalSchema = z.object({
  files: setupFilesSchema,
  rows: setupRowsSchema,
  vault: z.string().optional(),
});

/** Writes the journal; from here on the restore will happen. */
export function beginRestore(paths: DataPaths, { files, rows, vault }: Setup): Promise<void> {
  return writePrivateFile(journalOf(paths), JSON.stringify({ files, rows, vault }), { isOwn: true });
}

export function endRestore(paths: DataPaths): Promise<void> {
  return removeFile(journalOf(paths));
}

/**
 * Completes a restore that a killed program left unfinished. Only for the owner of the folder; rejects if the
 * disk is full.
 */
export async function finishRestore(paths: DataPaths): Promise<void> {
  const text = await readTextIfExists(journalOf(paths));
  if (text === undefined) return;
  const setup = journalSchema.safeParse(parseJson(text)).data;
  if (setup !== undefined) {
    await finishRows(paths, setup);
    for (const name of setupFileNames) await writeSetupFile(paths, setup, name);
  }
  await endRestore(paths);
}

/** Restores the rows. An unusable database does not keep the program from starting, and is reported later. */
async function finishRows(paths: DataPaths, { rows }: Setup): Promise<void> {
  const state = createStateDb({ file: paths.state, clock: systemClock, report: () => undefined });
  try {
    await replaceSetupRows(state, rows);
  } catch (error) {
    if (toProblem(error).code === 'hub.disk_full') throw error;
  } finally {
    await state.close();
  }
}

/**
 * Does the same for a program that reads settings before it owns the folder; another owner completes the
 * restore itself.
 */
export async function completeRestore(dataDir: string, version: string): Promise<void> {
  const paths = dataPaths(dataDir);
  if ((await readTextIfExists(journalOf(paths)).catch(() => undefined)) === undefined) return;
  const lock = await acquireInstanceLock(paths.hub, version).catch(() => undefined);
  if (lock === undefined) return;
  try {
    await finishRestore(paths);
  } finally {
    await lock.release();
  }
}

export const setupFileNames = ['vault', 'profiles', 'search', 'checks', 'settings', 'config'] as const;
export type SetupFileName = (typeof setupFileNames)[number];

/** Writes one file of the setup. A file that the setup does not contain is removed, except for the vault. */
export async function writeSetupFile(paths: DataPaths, setup: Setup, name: SetupFileName): Promise<void> {
  if (name === 'vault') {
    const { vault } = setup;
    const lock = createFileLock({ file: join(paths.run, 'secrets.lock'), clock: systemClock });
    if (vault !== undefined) await lock.run(() => writePrivateFile(paths.secrets, vault));
    return;
  }
  const text = setup.files[name];
  if (text === undefined) await removeFile(paths[name]);
  else if (name === 'checks' || name === 'search') await writePrivateFile(paths[name], text);
  else await writeFileAtomic(paths[name], text, { mode: 0o600 });
}

function journalOf({ run }: DataPaths): string {
  return join(run, 'restore.json');
}
