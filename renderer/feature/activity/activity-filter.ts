import type { ActivityFilter, ActivityRow } from '../../../shared/model/activity.ts';
import { usualFilter } from '../../store/activity-store.ts';

/**
 * Whether a row that comes while one looks belongs among those that are shown. As the engine decides it, but for a text in
 * what it carried, which only a query finds.
 */
export function isShown(row: ActivityRow, filter: ActivityFilter): boolean {
  const { kind, clientName, serverKey, name, method, outcomes, since, until } = filter;
  const is = (wanted: string | undefined, value: string | undefined) =>
    wanted === undefined || value === wanted;
  return (
    is(kind, row.kind) &&
    is(clientName, row.clientName) &&
    is(serverKey, row.serverKey) &&
    is(name, row.name) &&
    is(method, row.method) &&
    (outcomes === undefined || outcomes.includes(row.outcome)) &&
    (since === undefined || row.at >= since) &&
    (until === undefined || row.at <= until) &&
    hasText(row, filter.text)
  );
}

/** Whether it leaves out more than the usual filter does. */
export function isFiltered({ kind, ...rest }: ActivityFilter): boolean {
  return (
    (kind !== undefined && kind !== usualFilter.kind) ||
    Object.values(rest).some((value) => value !== undefined && value !== '')
  );
}

function hasText({ name, serverKey, clientName, method, text }: ActivityRow, wanted = ''): boolean {
  const sought = lower(wanted);
  return [name, serverKey, clientName, method, text].some((value) => lower(value ?? '').includes(sought));
}

/** As the database does. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
