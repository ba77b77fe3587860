import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { systemClock } from '../../electron/engine/base/clock.ts';
import { releaseFiles } from '../../electron/engine/store/db/connection.ts';
import { migrations } from '../../electron/engine/store/db/migrations/migrations.ts';
import { createStateDb, type StateDb } from '../../electron/engine/store/db/state-db.ts';
import type { Problem } from '../../shared/error/problem.ts';

/** A state of its own in a folder, closed at the end, and what it reported. */
export function stateIn(folder: string): StateDb &
  AsyncDisposable & {
    readonly file: string;
    readonly reported: { use: Problem | undefined; loss: Problem | undefined };
  } {
  const file = join(folder, 'state.db');
  const reported: { use: Problem | undefined; loss: Problem | undefined } = {
    use: undefined,
    loss: undefined,
  };
  const state = createStateDb({
    file,
    clock: systemClock,
    report: (about, problem) => {
      reported[about] = problem;
    },
  });
  return {
    run: (query) => state.run(query),
    runIfThere: (query, otherwise) => state.runIfThere(query, otherwise),
    close: () => state.close(),
    file,
    reported,
    [Symbol.asyncDispose]: () => state.close(),
  };
}

/** Does something to a file as some other program would. */
export async function withSqlite<T>(
  file: string,
  task: (database: Database.Database) => T,
): Promise<Awaited<T>> {
  const database = new Database(file);
  try {
    return await task(database);
  } finally {
    database.close();
    await releaseFiles();
  }
}

/** Folder with the SQL of every released version of the state, each with two rows. */
export const releasedStates = fileURLToPath(new URL('../fixture/data/state/', import.meta.url));

/** Puts a state into a folder as this version leaves it, with no sign of having been opened. */
export async function closedState(folder: string): Promise<void> {
  const name = Object.keys(migrations).at(-1);
  const text = await readFile(join(releasedStates, `${name}.sql`), 'utf8');
  await withSqlite(join(folder, 'state.db'), (database) => database.exec(text));
}

/** Returns the files beside a state, except SQLite's own ones while it is open. */
export async function besides(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder);
  return names.filter((name) => !/^state\.db(?:-wal|-shm)?$/.test(name)).sort();
}
