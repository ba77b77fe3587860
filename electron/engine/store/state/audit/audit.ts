import type { AuditRow } from '../../../../../shared/model/audit.ts';

type Undefinable<T> = { readonly [K in keyof T]: T[K] | (undefined extends T[K] ? undefined : never) };

/** A row that is still to get its number and its hash; nothing secret is in it any more. */
export interface AuditEntry extends Undefinable<Omit<AuditRow, 'seq' | 'hash'>> {
  /** What it is known by, should it be told of twice. */
  readonly id: string;
}

/** How much is kept; beyond any of it, the oldest goes. */
export interface AuditBounds {
  readonly days: number;
  /** Of the file. */
  readonly bytes: number;
}

/** What stands in place of rows that could not be written. */
export function lostEntries(count: number, now: number): AuditEntry {
  const text = `${count.toLocaleString('en')} entries were not written: there was no room for them.`;
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

/** What stands before the first row of a log that is not what it was when it was last written. */
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
