import { open, readdir } from 'node:fs/promises';
import { basename, dirname, join, toNamespacedPath } from 'node:path';
import { removeFile, replaceFile } from '../files/replace-file.ts';
import { tempFileFor } from '../files/temp-files.ts';
import type { Connection } from './connection.ts';

/**
 * Keeps a copy of the whole database beside it, made in one step, and deletes earlier copies. Rejects with
 * the error of SQLite or the system, and leaves no partial copy.
 */
export async function backUp(file: string, connection: Connection, version: number): Promise<void> {
  const copy = `${file}.${backupSuffix}${version}`;
  const draft = tempFileFor(copy);
  try {
    await makeEmpty(draft);
    connection.exec(`vacuum into '${toNamespacedPath(draft).replaceAll("'", "''")}'`);
    await sync(draft);
    await replaceFile(draft, copy);
  } catch (error) {
    await removeFile(draft).catch(() => undefined);
    throw error;
  }
  await removeOthers(file, basename(copy));
}

const backupSuffix = 'backup-';

/** SQLite also writes into an existing empty file, and keeps its permissions. */
async function makeEmpty(file: string): Promise<void> {
  const handle = await open(file, 'w', 0o600);
  await handle.close();
}

async function sync(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function removeOthers(file: string, copy: string): Promise<void> {
  const prefix = `${basename(file)}.${backupSuffix}`;
  const names = await readdir(dirname(file));
  const others = names.filter((name) => name.startsWith(prefix) && name !== copy);
  await Promise.all(others.map((name) => removeFile(join(dirname(file), name))));
}
