import { sql } from 'kysely';
import type { StateQueries } from '../../store/db/tables.ts';
import type { ActivityBounds } from './activity.ts';
import type { NewActivity } from './activity-row.ts';
import { inFixedSizes } from './in-fixed-sizes.ts';

/** Writes entries and keeps their number and size within limits. */
export interface BoundedWriter {
  write(db: StateQueries, entries: readonly NewActivity[]): Promise<void>;
  /** Deletes what is older than the limits allow. */
  forgetOld(db: StateQueries, now: number): Promise<void>;
  /** Deletes everything up to this row, leaving no trace in the file. */
  clear(db: StateQueries, upTo: number): Promise<void>;
}

/** Totals of the tables. */
interface TableTotals {
  readonly rows: number;
  readonly size: number;
}

export function createBoundedWriter(bounds: ActivityBounds): BoundedWriter {
  // Counted once and then updated; per database, since one that replaces a damaged one is empty.
  const known = new WeakMap<StateQueries, TableTotals>();
  return {
    async write(db, entries) {
      const before = known.get(db);
      // Forces a new count if writing fails.
      known.delete(db);
      const after = await db.transaction().execute(async (step) => {
        const totals = await insert(step, entries, before ?? (await count(step)));
        return prune(step, totals, bounds);
      });
      known.set(db, after);
    },
    async forgetOld(db, now) {
      known.delete(db);
      await db
        .deleteFrom('activity')
        .where('at', '<', now - bounds.age)
        .execute();
    },
    async clear(db, upTo) {
      known.delete(db);
      await db.deleteFrom('activity').where('id', '<=', upTo).execute();
      await sql`vacuum`.execute(db);
      await sql`pragma wal_checkpoint(truncate)`.execute(db);
    },
  };
}

async function count(db: StateQueries): Promise<TableTotals> {
  const { rows, size } = await db
    .selectFrom('activity')
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.sum<number | null>('kept').as('size')])
    .executeTakeFirstOrThrow();
  return { rows, size: size ?? 0 };
}

async function insert(
  db: StateQueries,
  entries: readonly NewActivity[],
  totals: TableTotals,
): Promise<TableTotals> {
  for (const some of inFixedSizes(entries)) {
    await db
      .insertInto('activity')
      .values(some.map(({ row }) => row))
      .execute();
  }
  for (const some of inFixedSizes(entries.flatMap(({ body }) => body ?? []))) {
    await db.insertInto('activity_body').values(some).execute();
  }
  const size = entries.reduce((sum, { row }) => sum + row.kept, totals.size);
  return { rows: totals.rows + entries.length, size };
}

/**
 * Deletes the oldest rows while there is too much, at least a hundredth of all: deleting often costs more.
 */
async function prune(db: StateQueries, totals: TableTotals, bounds: ActivityBounds): Promise<TableTotals> {
  if (totals.rows === 0 || (totals.rows <= bounds.rows && totals.size <= bounds.size)) return totals;
  const portion = Math.max(totals.rows - bounds.rows, Math.ceil(totals.rows / 100));
  const oldest = await db
    .selectFrom('activity')
    .select(['id', 'kept'])
    .orderBy('id')
    .limit(portion)
    .execute();
  // The bodies are deleted with their rows.
  await db
    .deleteFrom('activity')
    .where('id', '<=', oldest.at(-1)?.id ?? 0)
    .execute();
  const size = oldest.reduce((left, { kept }) => left - kept, totals.size);
  return prune(db, { rows: totals.rows - oldest.length, size }, bounds);
}
