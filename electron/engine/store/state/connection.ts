import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import Database from 'libsql';

export type Row = Readonly<Record<string, unknown>>;

/** One open connection to a database file. Its methods throw errors with SQLite's name for what failed as `code`. */
export interface Connection extends SqliteDatabase {
  readonly inTransaction: boolean;
  /** Runs statements whose rows nobody wants. They leave nothing behind: a file used only so can be closed for good. */
  exec(sql: string): void;
  rows(sql: string, ...parameters: readonly unknown[]): readonly Row[];
}

/**
 * Milliseconds that a statement waits, and everything with it, for a lock of another process. There is none as a rule:
 * the hub owns its folder.
 */
const lockWait = 50;

/** Opens a file that exists. */
export function connect(file: string): Connection {
  const database = openDatabase(file);
  const statements = new StatementCache(database);
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    exec: (sql) => database.exec(sql),
    prepare: (sql) => statements.get(sql),
    // Selected columns are objects by name.
    rows: (sql, ...parameters) => statements.get(sql).all(parameters) as readonly Row[],
    close() {
      statements.clear();
      database.close();
    },
  };
}

/**
 * Lets Windows move the files of connections that were closed: libsql has them open until their statements are collected, and
 * offers no other end for a statement. Other systems move open files.
 */
export async function freeFiles(platform: NodeJS.Platform = process.platform): Promise<void> {
  if (platform !== 'win32') return;
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  for (let round = 0; round < 2 && typeof collect === 'function'; round += 1) {
    collect();
    // Statements are finished in a later turn.
    await nextTurn();
  }
}

function openDatabase(file: string): Database.Database {
  try {
    return new Database(file, { timeout: lockWait });
  } catch (cause) {
    // libsql says it in words only.
    throw Object.assign(new Error(`${file} cannot be opened`, { cause }), { code: 'SQLITE_CANTOPEN' });
  }
}

const maxStatements = 64;

/**
 * Statements by their text. They lie outside the engine's heap, which does not know their weight: made anew for each use,
 * those of 20,000 writes take 90 MB until they are collected.
 */
class StatementCache {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  get(sql: string): SqliteStatement {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql);
    // Last used, last in order.
    this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    const [oldest] = this.#statements.keys();
    if (this.#statements.size > maxStatements && oldest !== undefined) this.#statements.delete(oldest);
    return statement;
  }

  clear(): void {
    this.#statements.clear();
  }

  #prepare(sql: string): SqliteStatement {
    return this.#database.prepare(sql);
  }
}
