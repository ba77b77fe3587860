import type { ActivityFilter, ActivityRow } from '../../../shared/model/activity.ts';
import { defaultFilter } from '../../store/activity-store.ts';

/**
 * Returns whether a row that arrives live matches the filter. Decides as the engine does, except for text in
 * arguments and results, which only a query finds.
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

/** Returns whether the filter hides more than the default filter does. */
export function isFiltered({ kind, ...rest }: ActivityFilter): boolean {
  return (
    (kind !== undefined && kind !== defaultFilter.kind) ||
    Object.values(rest).some((value) => value !== undefined && value !== '')
  );
}

function hasText({ name, serverKey, clientName, method, text }: ActivityRow, wanted = ''): boolean {
  const query = lower(wanted);
  return [name, serverKey, clientName, method, text].some((value) => lower(value ?? '').includes(query));
}

/** Lowercases ASCII letters only, as the database does. */
function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
