import { type Migration, Migrator, sql } from 'kysely';
import { backUp } from './back-up.ts';
import type { Connection } from './connection.ts';
import { storedVersion } from './examine.ts';
import type { StateQueries } from './tables.ts';

export interface MigrateOptions {
  readonly file: string;
  readonly connection: Connection;
  readonly db: StateQueries;
  /** Every migration there is, by name, in order. */
  readonly steps: Readonly<Record<string, Migration>>;
}

/**
 * Takes the tables to where this program expects them, all steps in one transaction. What was there before stays beside
 * the file until the next time. Rejects with what SQLite says, everything as it was.
 */
export async function migrate({ file, connection, db, steps }: MigrateOptions): Promise<void> {
  const before = storedVersion(connection);
  if (before === Object.keys(steps).length) return;
  if (before > 0) await backUp(file, connection, before);
  const { error } = await migrator(db, steps).migrateToLatest();
  if (error !== undefined) throw error;
  // The file itself says from now on what it is at.
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

/** A step that also leaves its number in the file's header, where it can be read before the file is opened. */
function numbered(step: Migration, number: number): Migration {
  return {
    async up(db) {
      await step.up(db);
      await sql.raw(`pragma user_version = ${number}`).execute(db);
    },
  };
}
