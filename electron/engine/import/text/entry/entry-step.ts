import { isRecord } from '../../../../../shared/json.ts';
import type { EntryIssue } from '../../../../../shared/model/import/import.ts';
import type { Dialect, Entry } from './dialects.ts';

/** Rewrites one feature of another program's entries, with remarks for their author. */
export type Step = (
  entry: Entry,
  dialect: Dialect | undefined,
) => { readonly entry: Entry; readonly notes?: readonly EntryIssue[] };

/** Programs write null for values that are not set. */
export function withoutNull(entry: Entry): Entry {
  return Object.fromEntries(
    Object.entries(entry).filter(([, value]) => value !== null && value !== undefined),
  );
}

export function isEmpty(value: unknown): boolean {
  return (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);
}

export function warning(path: string, message: string): EntryIssue {
  return { severity: 'warning', path, message };
}
