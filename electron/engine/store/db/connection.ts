import { toNamespacedPath } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import Database from 'libsql';

export type Row = Readonly<Record<string, unknown>>;

/** An open connection to a database file. Errors have SQLite's name for the failure as `code`. */
export interface Connection extends SqliteDatabase {
  readonly inTransaction: boolean;
  /**
   * Runs statements without returning rows. They leave nothing open, so that a file used only this way can be
   * closed completely.
   */
  exec(sql: string): void;
  rows(sql: string, ...parameters: readonly unknown[]): readonly Row[];
}

/**
 * Milliseconds that a statement, and everything behind it, waits for another process's lock. Normally there
 * is none: the hub owns its folder.
 */
const lockTimeoutMs = 50;

/** Opens an existing file. */
export function connect(file: string): Connection {
  const database = openDatabase(file);
  const statements = new StatementCache(database);
  return {
    get inTransaction() {
      return database.inTransaction;
    },
    exec: (sql) => database.exec(sql),
    prepare: (sql) => statements.get(sql),
    // Rows are objects by column name.
    rows: (sql, ...parameters) => statements.get(sql).all(parameters) as readonly Row[],
    close() {
      statements.clear();
      database.close();
    },
  };
}

/**
 * Lets Windows move and delete the files of closed connections: libsql keeps them open until their statements are
 * garbage collected, and has no other way to finalize a statement. Other systems move open files.
 */
export async function releaseFiles(platform: NodeJS.Platform = process.platform): Promise<void> {
  if (platform !== 'win32') return;
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  for (let round = 0; round < 2 && typeof collect === 'function'; round += 1) {
    collect();
    // Statements are finalized in a later turn.
    await nextTurn();
  }
}

function openDatabase(file: string): Database.Database {
  try {
    // SQLite passes a path to Windows as it is, which refuses long ones without this prefix.
    return new Database(toNamespacedPath(file), { timeout: lockTimeoutMs });
  } catch (cause) {
    // libsql reports this only in the message.
    throw Object.assign(new Error(`${file} cannot be opened`, { cause }), { code: 'SQLITE_CANTOPEN' });
  }
}

const maxStatements = 64;

/**
 * Statements by their text. They are outside the JavaScript heap, which does not know their size: prepared
 * again for each use, those of 20,000 writes would take 90 MB until they are collected.
 */
class StatementCache {
  readonly #database: Database.Database;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: Database.Database) {
    this.#database = database;
  }

  get(sql: string): SqliteStatement {
    const statement = this.#statements.get(sql) ?? this.#prepare(sql);
    // Most recently used last.
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
    const statement = this.#database.prepare(sql);
    return {
      reader: statement.reader,
      all: (parameters) => letGo(() => statement.all(parameters)),
      run: (parameters) => letGo(() => statement.run(parameters)),
      iterate: (parameters) => statement.iterate(parameters),
    };
  }
}

/** An error refers to the statement that threw it, until its stack has been read. */
function letGo<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof Error) void error.stack;
    throw error;
  }
}
