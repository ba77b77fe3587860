import {
  CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import type { Connection } from './connection.ts';

/** Kysely's SQLite dialect, with transactions for our use: all of ours write. */
export class StateDialect extends SqliteDialect {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    super({ database: connection });
    this.#connection = connection;
  }

  override createAdapter(): DialectAdapter {
    return new TransactionalAdapter();
  }

  override createDriver(): Driver {
    return new WritingDriver(this.#connection);
  }
}

/** SQLite supports schema changes in transactions; Kysely uses that only if told to. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

class WritingDriver extends SqliteDriver {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    super({ database: connection });
    this.#connection = connection;
  }

  /** Takes the lock before the first read, so that what was read is still true when writing. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  /** SQLite rolls back by itself when the disk is full; a second rollback would hide the reason. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}
