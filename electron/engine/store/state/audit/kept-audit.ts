import type { AuditRow, AuditVerdict } from '../../../../../shared/model/audit.ts';
import { systemClock } from '../../../base/clock.ts';
import { auditStore } from './audit-store.ts';
import { logTrouble } from './log-trouble.ts';
import { readOnlyDb } from './read-only-db.ts';
import { waitingEntries } from './waiting-entries.ts';

/** The audit log of a folder, with or without a hub; only read. Its promises reject as those of StateDb do. */
export interface KeptAudit {
  verify(): Promise<AuditVerdict>;
  oldestFirst(): AsyncGenerator<AuditRow>;
  newest(most: number): AsyncGenerator<AuditRow>;
  hasHash(hash: string): Promise<boolean>;
  /** Latest note of a hub that found rows missing or the log begun anew. */
  lostEarlier(): Promise<string | undefined>;
  /** Why it is not all there was, in a sentence. */
  trouble(): Promise<string | undefined>;
  /** How many entries are still to be taken into it. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}

/** `file` and `journal`: see DataPaths. */
export function openKeptAudit(file: string, journal: string): KeptAudit {
  const clock = systemClock;
  const state = readOnlyDb(file);
  // Nothing is written, so nothing is bounded.
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
    async *newest(most) {
      let left = most;
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
    trouble: () => logTrouble(file, state),
    async waiting() {
      const ids = await waitingEntries(journal);
      const known = await store.known(ids);
      return ids.filter((id) => !known.has(id)).length;
    },
    close: () => state.close(),
  };
}

/** Actions of the hub by which it notes that rows were gone when it opened the log. */
const lostEarlier = ['begun-anew', 'rows-missing'] as const;

const pageSize = 500;
