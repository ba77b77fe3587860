import { copyFile, type FileHandle, open, truncate } from 'node:fs/promises';
import { removeFile } from '../files/replace-file.ts';
import { tempFileFor } from '../files/temp-files.ts';
import { type Connection, connect, type Row, releaseFiles } from './connection.ts';

/**
 * Writes every row of a damaged database that can still be read to `into`, one JSON line each; resolves to
 * their number. Does not open the database itself, since SQLite would start to repair it. Rejects if it is
 * too damaged.
 */
export async function salvage(damaged: string, into: string, fullSize?: number): Promise<number> {
  const copy = tempFileFor(into);
  try {
    await copyWithLog(damaged, copy);
    // Lets SQLite read the missing end as empty pages, and the rest as it is.
    if (fullSize !== undefined) await truncate(copy, fullSize);
    return await exportRows(copy, into);
  } finally {
    await releaseFiles();
    for (const part of ['', '-wal', '-shm']) await removeFile(copy + part).catch(() => undefined);
  }
}

async function copyWithLog(damaged: string, copy: string): Promise<void> {
  await copyFile(damaged, copy);
  await copyFile(`${damaged}-wal`, `${copy}-wal`).catch(() => undefined);
}

async function exportRows(file: string, into: string): Promise<number> {
  const connection = connect(file);
  try {
    const tables = connection.rows("select name from sqlite_master where type = 'table'");
    const target = await open(into, 'w', 0o600);
    try {
      let count = 0;
      for (const { name } of tables) count += await exportTable(connection, String(name), target);
      return count;
    } finally {
      await target.close();
    }
  } finally {
    connection.close();
  }
}

async function exportTable(connection: Connection, table: string, target: FileHandle): Promise<number> {
  let count = 0;
  for (const rows of readableRows(connection, `"${table.replaceAll('"', '""')}"`)) {
    await target.appendFile(rows.map(({ key: _, ...row }) => `${JSON.stringify({ table, row })}\n`).join(''));
    count += rows.length;
  }
  return count;
}

/** Reads from the first row up to the damage, then from the last row back to it. */
function* readableRows(connection: Connection, table: string): Generator<readonly Row[]> {
  let first = Number.MIN_SAFE_INTEGER;
  for (const rows of pages(
    connection,
    `select rowid as key, * from ${table} where rowid > ? order by rowid`,
    first,
  )) {
    first = Number(rows.at(-1)?.key);
    yield rows;
  }
  const backwards = `select rowid as key, * from ${table} where rowid < ? and rowid > ${first} order by rowid desc`;
  yield* pages(connection, backwards, Number.MAX_SAFE_INTEGER);
}

/** Reads pages of rows, each after the last key of the previous one, until none is left or readable. */
function* pages(connection: Connection, select: string, start: number): Generator<readonly Row[]> {
  let key = start;
  let size = pageSize;
  for (;;) {
    const rows = readPage(connection, `${select} limit ${size}`, key);
    if (rows.length === 0 && size === 1) return;
    // Reads the last rows before the end or the damage one by one.
    if (rows.length < size) size = 1;
    if (rows.length === 0) continue;
    yield rows;
    key = Number(rows.at(-1)?.key);
  }
}

const pageSize = 100;

function readPage(connection: Connection, select: string, key: number): readonly Row[] {
  try {
    return connection.rows(select, key);
  } catch {
    return [];
  }
}
