import type { AccessTables } from './access-tables.ts';

/** Returns when the next identity, grant or token expires; undefined if none does. */
export function nextExpiry(tables: AccessTables, after: number): number | undefined {
  let at = Number.POSITIVE_INFINITY;
  for (const list of [tables.identities(), tables.grants(), tables.tokens()])
    for (const { expiresAt } of list)
      if (expiresAt !== undefined && expiresAt > after && expiresAt < at) at = expiresAt;
  return at === Number.POSITIVE_INFINITY ? undefined : at;
}
