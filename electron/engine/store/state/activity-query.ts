import type { SelectQueryBuilder } from 'kysely';
import type { Activity, ActivityQuery, KeptActivityBody } from './activity.ts';
import { toActivity, toKeptBody } from './activity-row.ts';
import type { ActivityRow, StateQueries, StateTables } from './tables.ts';

export async function findActivities(db: StateQueries, query: ActivityQuery): Promise<readonly Activity[]> {
  const { limit, before, serverKey, clientName, method, outcome, text } = query;
  let select = db.selectFrom('activity').selectAll().orderBy('id', 'desc').limit(limit);
  if (before !== undefined) select = select.where('id', '<', before);
  if (serverKey !== undefined) select = select.where('server', '=', serverKey);
  if (clientName !== undefined) select = select.where('client_name', '=', clientName);
  if (method !== undefined) select = select.where('method', '=', method);
  if (outcome !== undefined) select = select.where('outcome', '=', outcome);
  if (text !== undefined && text !== '') select = withText(select, text);
  return (await select.execute()).map(toActivity);
}

export async function findActivityBody(db: StateQueries, id: number): Promise<KeptActivityBody | undefined> {
  const row = await db.selectFrom('activity_body').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toKeptBody(row);
}

type Select = SelectQueryBuilder<StateTables, 'activity', ActivityRow>;

/** `instr` takes the text as it is, where `like` has signs of its own. SQLite's `lower` knows A to Z only. */
function withText(select: Select, text: string): Select {
  const wanted = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return select.where((where) =>
    where.or(
      (['name', 'server', 'client_name'] as const).map((column) =>
        where(where.fn<number>('instr', [where.fn('lower', [column]), where.val(wanted)]), '>', 0),
      ),
    ),
  );
}
