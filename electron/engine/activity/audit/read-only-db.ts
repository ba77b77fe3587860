import { stat } from 'node:fs/promises';
import { Kysely } from 'kysely';
import { ProblemError } from '../../../../shared/error/problem.ts';
import { type Connection, connect, releaseFiles } from '../../store/db/connection.ts';
import { StateDialect } from '../../store/db/dialect.ts';
import { refuseNewer } from '../../store/db/examine.ts';
import type { StateDb } from '../../store/db/state-db.ts';
import { stateProblem } from '../../store/db/state-problem.ts';
import type { StateQueries, StateTables } from '../../store/db/tables.ts';

/**
 * Opens a database read-only: it is neither created nor migrated, and a damaged one is not set aside but
 * fails with `hub.database_unreadable`.
 */
export function readOnlyDb(file: string): StateDb {
  let opened: Promise<{ readonly db: StateQueries } | undefined> | undefined;
  const ask = async <T>(query: (db: StateQueries) => Promise<T>, otherwise: T): Promise<T> => {
    try {
      opened ??= open(file);
      const found = await opened;
      return found === undefined ? otherwise : await query(found.db);
    } catch (error) {
      throw new ProblemError(await stateProblem(file, error), { cause: error });
    }
  };
  return {
    run: () => Promise.reject(new Error('it is only read')),
    runIfThere: ask,
    close: async () => {
      const found = await opened?.catch(() => undefined);
      await found?.db.destroy();
      await releaseFiles();
    },
  };
}

async function open(file: string): Promise<{ readonly db: StateQueries } | undefined> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined || info.size === 0) return undefined;
  const connection: Connection = connect(file);
  try {
    refuseNewer(file, connection);
    return { db: new Kysely<StateTables>({ dialect: new StateDialect(connection) }) };
  } catch (error) {
    connection.close();
    throw error;
  }
}
