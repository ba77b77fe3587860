import type { SelectQueryBuilder } from 'kysely';
import type { AuditFilter, AuditPage, AuditQuery } from '../../../../shared/model/activity/audit.ts';
import type { StateQueries, StateTables } from '../../store/db/tables.ts';
import { withText } from '../store/with-text.ts';
import type { EntryKey } from './audit.ts';
import { toAuditRow } from './audit-row.ts';

export async function findAudits(db: StateQueries, query: AuditQuery): Promise<AuditPage> {
  const { limit, before, ...filter } = query;
  let select = db.selectFrom('audit_log').selectAll().orderBy('seq', 'desc');
  if (before !== undefined) select = select.where('seq', '<', before);
  // One more row tells whether there is another page.
  const found = await filtered(select, filter)
    .limit(limit + 1)
    .execute();
  return { rows: found.slice(0, limit).map(toAuditRow), hasMore: found.length > limit };
}

/** Lists oldest first; `after` is the last row of the previous page. */
export async function auditsAfter(
  db: StateQueries,
  query: { readonly filter: AuditFilter; readonly after: number; readonly limit: number },
): Promise<AuditPage> {
  const { filter, after, limit } = query;
  const select = db.selectFrom('audit_log').selectAll().where('seq', '>', after).orderBy('seq');
  const found = await filtered(select, filter)
    .limit(limit + 1)
    .execute();
  return { rows: found.slice(0, limit).map(toAuditRow), hasMore: found.length > limit };
}

/** Returns the ids of those entries that are in the log. */
export async function findKnown(
  db: StateQueries,
  entries: readonly EntryKey[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let start = 0; start < entries.length; start += maxCompared)
    for (const { id } of await findSome(db, entries.slice(start, start + maxCompared))) known.add(id);
  return known;
}

/** A statement can bind only so many values. */
const maxCompared = 500;

/** Finds calls, of which there are many, by their times, which are indexed. */
async function findSome(db: StateQueries, entries: readonly EntryKey[]): Promise<readonly { id: string }[]> {
  const calls = entries.filter(({ kind }) => kind === 'invocation');
  const others = entries.filter(({ kind }) => kind !== 'invocation');
  const times = [...new Set(calls.map(({ at }) => at))];
  const foundCalls = db.selectFrom('mcp_invocations').select('id').where('invoked_at', 'in', times);
  const foundOthers = db.selectFrom('audit_event').select('id');
  return [
    ...(calls.length === 0 ? [] : await foundCalls.where('id', 'in', calls.map(idOf)).execute()),
    ...(others.length === 0 ? [] : await foundOthers.where('id', 'in', others.map(idOf)).execute()),
  ];
}

function idOf({ id }: EntryKey): string {
  return id;
}

type Select<O> = SelectQueryBuilder<StateTables, 'audit_log', O>;

function filtered<O>(select: Select<O>, filter: AuditFilter): Select<O> {
  const { since, until, kinds, identity, serverKey, tool, outcomes, text } = filter;
  let narrowed = select;
  if (since !== undefined) narrowed = narrowed.where('at', '>=', since);
  if (until !== undefined) narrowed = narrowed.where('at', '<=', until);
  if (kinds !== undefined) narrowed = narrowed.where('kind', 'in', [...kinds]);
  if (outcomes !== undefined) narrowed = narrowed.where('outcome', 'in', [...outcomes]);
  if (identity !== undefined) narrowed = narrowed.where('actor', '=', identity);
  if (serverKey !== undefined) narrowed = narrowed.where('server_id', '=', serverKey);
  if (tool !== undefined) narrowed = narrowed.where('tool_name', '=', tool);
  return text === undefined || text === '' ? narrowed : withText(narrowed, texts, text);
}

const texts = ['action', 'actor', 'server_id', 'tool_name', 'text', 'correlation_id'] as const;
