import { isRecord } from '../../../../shared/json.ts';
import type { EntryIssue } from '../../../../shared/model/import.ts';
import type { Dialect, Entry } from './dialects.ts';

/** One thing that another program writes in another way, with remarks for its writer. */
export type Step = (
  entry: Entry,
  dialect: Dialect | undefined,
) => { readonly entry: Entry; readonly notes?: readonly EntryIssue[] };

/** Null stands where a program has nothing to say. */
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
