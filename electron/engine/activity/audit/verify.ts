import { setImmediate } from 'node:timers/promises';
import type { AuditVerdict } from '../../../../shared/model/activity/audit.ts';
import type { StateQueries } from '../../store/db/tables.ts';
import { genesis, hashOf } from './audit-row.ts';
import type { AuditLogRow } from './tables.ts';

/**
 * Checks that every row up to the newest is there and unchanged. Rows that are written meanwhile are left to
 * the next check.
 */
export async function verifyAudits(db: StateQueries): Promise<AuditVerdict> {
  const anchor = await db.selectFrom('audit_anchor').selectAll().executeTakeFirst();
  const walk = new ChainWalk(anchor?.from_seq ?? 0, anchor?.from_hash ?? genesis);
  const end = anchor?.head_seq ?? 0;
  for (;;) {
    const rows = await db
      .selectFrom('audit_log')
      .selectAll()
      .where('seq', '>', walk.seq)
      .orderBy('seq')
      .limit(pageSize)
      .execute();
    // Without an anchor there must be no rows at all.
    const known = rows.filter(({ seq }) => anchor === undefined || seq <= end);
    for (const row of known) {
      const fault = walk.step(row);
      if (fault !== undefined) return fault;
    }
    if (rows.length < pageSize || known.length < rows.length) break;
    // Lets other work of this thread run.
    await setImmediate();
  }
  return walk.end(anchor?.head_seq ?? 0, anchor?.head_hash ?? genesis);
}

const pageSize = 500;

class ChainWalk {
  seq: number;
  #hash: string;
  #rows = 0;
  #since: number | undefined;

  constructor(seq: number, hash: string) {
    this.seq = seq;
    this.#hash = hash;
  }

  step(row: AuditLogRow): AuditVerdict | undefined {
    const { hash, ...members } = row;
    const expected = this.seq + 1;
    if (row.seq !== expected) return this.#fault(expected, `Row ${expected} is missing.`);
    const isWhole = hash === hashOf(this.#hash, members);
    if (!isWhole) return this.#fault(row.seq, `Row ${row.seq} or the one before it has been changed.`);
    this.seq = row.seq;
    this.#hash = hash;
    this.#rows += 1;
    this.#since ??= row.at;
    return undefined;
  }

  end(seq: number, hash: string): AuditVerdict {
    if (this.seq < seq) return this.#fault(this.seq + 1, `Rows ${this.seq + 1} to ${seq} are missing.`);
    if (this.seq > seq || this.#hash !== hash)
      return this.#fault(this.seq, 'The last row is not the recorded end of the log.');
    return this.#since === undefined
      ? { ok: true, rows: 0 }
      : { ok: true, rows: this.#rows, since: this.#since, head: this.#hash };
  }

  #fault(at: number, why: string): AuditVerdict {
    return { ok: false, rows: this.#rows, at, why };
  }
}
