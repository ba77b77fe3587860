import type { AuditRow } from '../../../../shared/model/activity/audit.ts';

type Undefinable<T> = { readonly [K in keyof T]: T[K] | (undefined extends T[K] ? undefined : never) };

/** A row without number and hash; all secrets are masked already. */
export interface AuditEntry extends Undefinable<Omit<AuditRow, 'seq' | 'hash'>> {
  /** Identifies the entry if it is passed on twice. */
  readonly id: string;
}

/** The members of an entry by which its row is found. */
export type EntryKey = Pick<AuditEntry, 'id' | 'at' | 'kind'>;

/** Limits; beyond any of them the oldest rows are deleted. */
export interface AuditBounds {
  readonly days: number;
  /** File size. */
  readonly bytes: number;
}

/** Builds the entry that replaces entries that could not be written. */
export function lostEntries(count: number, now: number): AuditEntry {
  const text = `${count.toLocaleString('en')} entries were lost because there was no room for them.`;
  return {
    id: `lost-${now}-${count}`,
    at: now,
    kind: 'hub',
    action: 'lost',
    actor: 'hub',
    outcome: 'failed',
    text,
  };
}

/** Builds the entry that precedes new rows in a log that has changed since it was last written. */
export function missingEntries(text: string, now: number): AuditEntry {
  return {
    id: `missing-${now}`,
    at: now,
    kind: 'hub',
    action: 'rows-missing',
    actor: 'hub',
    outcome: 'failed',
    text,
  };
}
