import { sql } from 'kysely';
import type { ActivityBounds } from './activity.ts';
import type { NewActivity } from './activity-row.ts';
import { inSizes } from './in-sizes.ts';
import type { StateQueries } from './tables.ts';

/** Writes entries and keeps their number and size within limits. */
export interface ActivityWriter {
  write(db: StateQueries, entries: readonly NewActivity[]): Promise<void>;
  /** Deletes what is older than the limits allow. */
  forgetOld(db: StateQueries, now: number): Promise<void>;
  /** Deletes everything up to this row, leaving no trace in the file. */
  clear(db: StateQueries, upTo: number): Promise<void>;
}

/** Totals of the tables. */
interface Holdings {
  readonly rows: number;
  readonly size: number;
}

export function createActivityWriter(bounds: ActivityBounds): ActivityWriter {
  // Counted once and then updated; per database, since one that replaces a damaged one is empty.
  const known = new WeakMap<StateQueries, Holdings>();
  return {
    async write(db, entries) {
      const before = known.get(db);
      // Forces a new count if writing fails.
      known.delete(db);
      const after = await db.transaction().execute(async (step) => {
        const held = await insert(step, entries, before ?? (await count(step)));
        return prune(step, held, bounds);
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

async function count(db: StateQueries): Promise<Holdings> {
  const { rows, size } = await db
    .selectFrom('activity')
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.sum<number | null>('kept').as('size')])
    .executeTakeFirstOrThrow();
  return { rows, size: size ?? 0 };
}

async function insert(db: StateQueries, entries: readonly NewActivity[], held: Holdings): Promise<Holdings> {
  for (const some of inSizes(entries)) {
    await db
      .insertInto('activity')
      .values(some.map(({ row }) => row))
      .execute();
  }
  for (const some of inSizes(entries.flatMap(({ body }) => body ?? []))) {
    await db.insertInto('activity_body').values(some).execute();
  }
  const size = entries.reduce((sum, { row }) => sum + row.kept, held.size);
  return { rows: held.rows + entries.length, size };
}

/**
 * Deletes the oldest rows while there is too much, at least a hundredth of all: deleting often costs more.
 */
async function prune(db: StateQueries, held: Holdings, bounds: ActivityBounds): Promise<Holdings> {
  if (held.rows === 0 || (held.rows <= bounds.rows && held.size <= bounds.size)) return held;
  const portion = Math.max(held.rows - bounds.rows, Math.ceil(held.rows / 100));
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
  const size = oldest.reduce((left, { kept }) => left - kept, held.size);
  return prune(db, { rows: held.rows - oldest.length, size }, bounds);
}
