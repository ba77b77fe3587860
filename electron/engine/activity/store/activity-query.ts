import { type ExpressionBuilder, type SelectQueryBuilder, sql } from 'kysely';
import {
  type ActivityCounts,
  type ActivityFilter,
  type ActivityPage,
  type ActivityRow,
  activityLimits,
} from '../../../../shared/model/activity/activity.ts';
import type { StateQueries, StateTables } from '../../store/db/tables.ts';
import type { ActivityBody, ActivityEntry, ActivityQuery } from './activity.ts';
import { toActivityBody, toActivityRow } from './activity-row.ts';
import { type CountedRow, countRows } from './count-activity.ts';
import type { ActivityTable } from './tables.ts';
import { textIn } from './with-text.ts';

export async function findActivities(db: StateQueries, query: ActivityQuery): Promise<ActivityPage> {
  const { filter, after, before, limit } = query;
  let select = db.selectFrom('activity').selectAll().where('id', '>', after).orderBy('id', 'desc');
  if (before !== undefined) select = select.where('id', '<', before);
  // One more row tells whether there is another page.
  const found = await filtered(select, filter)
    .limit(limit + 1)
    .execute();
  return { rows: found.slice(0, limit).map(toActivityRow), hasMore: found.length > limit };
}

/** Finds one row by its id. */
export async function findActivity(db: StateQueries, id: number, after: number) {
  const found = await db
    .selectFrom('activity')
    .selectAll()
    .where('id', '=', id)
    .where('id', '>', after)
    .executeTakeFirst();
  return found && toActivityRow(found);
}

export async function findActivityBody(db: StateQueries, id: number): Promise<ActivityBody | undefined> {
  const found = await db.selectFrom('activity_body').selectAll().where('id', '=', id).executeTakeFirst();
  return found && toActivityBody(found);
}

/** See {@link ActivityCounts}. The database filters by text and time, which offer no choices. */
export async function countActivities(
  db: StateQueries,
  filter: ActivityFilter,
  after: number,
): Promise<ActivityCounts> {
  const { text, since, until } = filter;
  const select = db
    .selectFrom('activity')
    .where('id', '>', after)
    .select(['kind', 'client_name as client', 'server', 'name', 'method', 'outcome'])
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .groupBy(['kind', 'client_name', 'server', 'name', 'method', 'outcome']);
  const { kept } = await db
    .selectFrom('activity')
    .where('id', '>', after)
    .select(({ fn }) => fn.countAll<number>().as('kept'))
    .executeTakeFirstOrThrow();
  const rows: readonly CountedRow[] = await filtered(select, { text, since, until }).execute();
  return { kept, ...countRows(rows, filter) };
}

export async function lastActivity(db: StateQueries): Promise<number> {
  const { id } = await db
    .selectFrom('activity')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow();
  return id ?? 0;
}

/** Returns the entries that are not stored, whatever their ids. */
export async function missingActivities(
  db: StateQueries,
  entries: readonly ActivityEntry[],
): Promise<readonly ActivityEntry[]> {
  const times = entries.map(({ row }) => row.at);
  if (times.length === 0) return [];
  const found = await db
    .selectFrom('activity')
    .selectAll()
    .where(
      'at',
      '>=',
      times.reduce((one, other) => Math.min(one, other)),
    )
    .where(
      'at',
      '<=',
      times.reduce((one, other) => Math.max(one, other)),
    )
    .execute();
  const storedCounts = new Map<string, number>();
  for (const row of found.map(toActivityRow))
    storedCounts.set(comparisonKey(row), (storedCounts.get(comparisonKey(row)) ?? 0) + 1);
  return entries.filter(({ row }) => {
    const count = storedCounts.get(comparisonKey(row)) ?? 0;
    storedCounts.set(comparisonKey(row), count - 1);
    return count <= 0;
  });
}

/** Builds a key that is equal for a stored row and the same row read back without its bodies. */
function comparisonKey({
  at,
  kind,
  clientId,
  serverKey,
  method,
  milliseconds,
  requestBytes,
}: ActivityRow): string {
  return JSON.stringify([at, kind, clientId, serverKey, method, milliseconds, requestBytes]);
}

type Select<O> = SelectQueryBuilder<StateTables, 'activity', O>;

function filtered<O>(select: Select<O>, filter: ActivityFilter): Select<O> {
  const { outcomes, text, since, until } = filter;
  let narrowed = select;
  for (const [column, wanted] of equalities(filter)) {
    if (wanted !== undefined) narrowed = narrowed.where(column, '=', wanted);
  }
  if (outcomes !== undefined) narrowed = narrowed.where('outcome', 'in', [...outcomes]);
  if (since !== undefined) narrowed = narrowed.where('at', '>=', since);
  if (until !== undefined) narrowed = narrowed.where('at', '<=', until);
  return text === undefined || text === '' ? narrowed : narrowed.where((where) => hasText(where, text));
}

/**
 * Searches the row and its stored bodies, which are masked and truncated. Bodies can amount to 200 MB, so
 * only those of the newest rows are searched.
 */
function hasText(where: ExpressionBuilder<StateTables, 'activity'>, text: string) {
  const newest = where
    .selectFrom('activity_body')
    .select(({ fn, val }) => sql<number>`${fn.max('id')} - ${val(activityLimits.searchedBodies)}`.as('id'));
  const bodies = where
    .selectFrom('activity_body')
    .select('activity_body.id')
    .where('activity_body.id', '>', newest)
    .where((body) => textIn(body, ['activity_body.arguments', 'activity_body.result'], text));
  return where.or([textIn(where, texts, text), where('activity.id', 'in', bodies)]);
}

function equalities({ kind, clientName, serverKey, name, method }: ActivityFilter) {
  return [
    ['kind', kind],
    ['client_name', clientName],
    ['server', serverKey],
    ['name', name],
    ['method', method],
  ] as const satisfies readonly (readonly [keyof ActivityTable, string | undefined])[];
}

const texts = ['name', 'server', 'client_name', 'method', 'text'] as const;
