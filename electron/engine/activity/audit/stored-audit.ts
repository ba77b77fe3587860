import type { AuditRow, AuditVerdict } from '../../../../shared/model/activity/audit.ts';
import { systemClock } from '../../base/clock.ts';
import { auditStore } from './audit-store.ts';
import { incompleteLogReason } from './incomplete-log-reason.ts';
import { pendingEntries } from './pending-entries.ts';
import { readOnlyDb } from './read-only-db.ts';

/**
 * The audit log of a data folder, with or without a hub; read-only. Its promises reject like those of
 * StateDb.
 */
export interface StoredAudit {
  verify(): Promise<AuditVerdict>;
  oldestFirst(): AsyncGenerator<AuditRow>;
  newest(most: number): AsyncGenerator<AuditRow>;
  hasHash(hash: string): Promise<boolean>;
  /** Returns the latest note of a hub that found rows missing or the log restarted. */
  lostEarlier(): Promise<string | undefined>;
  /** Returns a sentence that says why the log is incomplete, if it is. */
  incompleteReason(): Promise<string | undefined>;
  /** Returns how many entries still have to be added to it. */
  pending(): Promise<number>;
  close(): Promise<void>;
}

/** `file` and `journal`: see DataPaths. */
export function openStoredAudit(file: string, journal: string): StoredAudit {
  const clock = systemClock;
  const state = readOnlyDb(file);
  // Nothing is written, so no limits are needed.
  const bounds = { days: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
  const store = auditStore({ state, clock, bounds });
  return {
    verify: () => store.verify(),
    async *oldestFirst() {
      for (let after = 0, hasMore = true; hasMore; ) {
        const page = await store.after({ filter: {}, after, limit: pageSize });
        yield* page.rows;
        after = page.rows.at(-1)?.seq ?? after;
        hasMore = page.hasMore;
      }
    },
    async *newest(limit) {
      let left = limit;
      for (let before: number | undefined, hasMore = true; hasMore && left > 0; ) {
        const page = await store.find({ limit: Math.min(left, pageSize), before });
        yield* page.rows;
        left -= page.rows.length;
        before = page.rows.at(-1)?.seq;
        hasMore = page.hasMore;
      }
    },
    hasHash: (hash) =>
      state.runIfThere(async (db) => {
        const found = await db
          .selectFrom('audit_log')
          .select('seq')
          .where('hash', '=', hash)
          .executeTakeFirst();
        return found !== undefined;
      }, false),
    lostEarlier: () =>
      state.runIfThere(async (db) => {
        const rows = db
          .selectFrom('audit_log')
          .select('text')
          .where('action', 'in', [...lostEarlier]);
        return (await rows.orderBy('seq', 'desc').limit(1).executeTakeFirst())?.text ?? undefined;
      }, undefined),
    incompleteReason: () => incompleteLogReason(file, state),
    async pending() {
      const entries = await pendingEntries(journal);
      const known = await store.known(entries);
      return entries.filter(({ id }) => !known.has(id)).length;
    },
    close: () => state.close(),
  };
}

/** Actions with which the hub notes that rows were missing when it opened the log. */
const lostEarlier = ['begun-anew', 'rows-missing'] as const;

const pageSize = 500;
