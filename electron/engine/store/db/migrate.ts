import { type Migration, Migrator, sql } from 'kysely';
import { backUp } from './back-up.ts';
import type { Connection } from './connection.ts';
import { storedVersion } from './examine.ts';
import type { StateQueries } from './tables.ts';

export interface MigrateOptions {
  readonly file: string;
  readonly connection: Connection;
  readonly db: StateQueries;
  /** All migrations by name, in order. */
  readonly steps: Readonly<Record<string, Migration>>;
}

/**
 * Migrates the tables to the version of this program, all steps in one transaction. A copy of the previous
 * version stays beside the file until the next migration. Rejects with SQLite's error and leaves everything
 * as it was.
 */
export async function migrate({ file, connection, db, steps }: MigrateOptions): Promise<void> {
  const before = storedVersion(connection);
  if (before === Object.keys(steps).length) return;
  if (before > 0) await backUp(file, connection, before);
  const { error } = await migrator(db, steps).migrateToLatest();
  if (error !== undefined) throw error;
  // Puts the new version into the file itself.
  connection.exec('pragma wal_checkpoint(truncate)');
}

function migrator(db: StateQueries, steps: MigrateOptions['steps']): Migrator {
  const all = Object.entries(steps).map(([name, step], index) => [name, numbered(step, index + 1)]);
  return new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(all) },
    migrationTableName: 'migration',
    migrationLockTableName: 'migration_lock',
  });
}

/**
 * Wraps a step so that it also writes its number to the file header, where it can be read without opening the
 * database.
 */
function numbered(step: Migration, number: number): Migration {
  return {
    async up(db) {
      await step.up(db);
      await sql.raw(`pragma user_version = ${number}`).execute(db);
    },
  };
}
