import { CompiledQuery, sql } from 'kysely';
import type { StateQueries } from '../../store/db/tables.ts';
import type { AuditEntry } from './audit.ts';
import { genesis, hashOf, toLogRow } from './audit-row.ts';
import type { AuditEnd } from './head-file.ts';
import { insertions } from './insertions.ts';
import type { AuditLogRow } from './tables.ts';

/** Appends to the chain. Only one append may run at a time. */
export interface AuditWriter {
  /** Resolves to the new end of the chain. */
  append(db: StateQueries, entries: readonly AuditEntry[]): Promise<AuditEnd>;
}

export function createAuditWriter(): AuditWriter {
  // Read once; per database, since one that replaces a damaged one has a chain of its own.
  const known = new WeakMap<StateQueries, AuditEnd>();
  return {
    async append(db, entries) {
      const before = known.get(db);
      // Forces a new read if writing fails.
      known.delete(db);
      const head = await db.transaction().execute(async (step) => {
        const { rows, end } = chain(before ?? (await readHead(step)), entries);
        for (const statement of insertions(rows)) await step.executeQuery(statement);
        await step.executeQuery(CompiledQuery.raw(noteHead, [genesis, end.seq, end.hash]));
        return end;
      });
      known.set(db, head);
      return head;
    },
  };
}

/** Written by hand, like {@link insertions}, because it runs every few calls. */
const noteHead = `insert into audit_anchor (id, from_seq, from_hash, head_seq, head_hash) values (1, 0, ?1, ?2, ?3)
  on conflict (id) do update set head_seq = ?2, head_hash = ?3`;

async function readHead(db: StateQueries): Promise<AuditEnd> {
  const anchor = await db.selectFrom('audit_anchor').selectAll().executeTakeFirst();
  return anchor === undefined ? { seq: 0, hash: genesis } : { seq: anchor.head_seq, hash: anchor.head_hash };
}

function chain(start: AuditEnd, entries: readonly AuditEntry[]) {
  const rows: AuditLogRow[] = [];
  let end = start;
  for (const entry of entries) {
    const row = toLogRow(entry, end.seq + 1);
    const hash = hashOf(end.hash, row);
    rows.push(Object.assign(row, { hash }));
    end = { seq: row.seq, hash };
  }
  return { rows, end };
}

/** Deletes rows from before a time and records where the chain now starts; resolves to their number. */
export async function forgetBefore(db: StateQueries, at: number): Promise<number> {
  const anchor = await db.selectFrom('audit_anchor').selectAll().executeTakeFirst();
  if (anchor === undefined) return 0;
  const calls = db.selectFrom('mcp_invocations').select(['seq', 'invoked_at as at']);
  const others = db.selectFrom('audit_event').select(['seq', 'at']);
  const firstKept = [
    await firstSince(at, (after) => calls.where('seq', '>', after).orderBy('seq').limit(pageSize).execute()),
    await firstSince(at, (after) => others.where('seq', '>', after).orderBy('seq').limit(pageSize).execute()),
  ].filter((seq) => seq !== undefined);
  const upTo = firstKept.length === 0 ? anchor.head_seq : Math.min(...firstKept) - 1;
  return upTo <= anchor.from_seq ? 0 : forgetUpTo(db, upTo);
}

/**
 * Returns the first row of a table at or after a time, in log order. Reads from the oldest row, table by
 * table: a query over the whole log would read all rows, which may be millions.
 */
async function firstSince(
  at: number,
  rowsAfter: (seq: number) => Promise<readonly { readonly seq: number; readonly at: number }[]>,
): Promise<number | undefined> {
  for (let after = 0; ; ) {
    const rows = await rowsAfter(after);
    const first = rows.find((row) => row.at >= at);
    const last = rows.at(-1);
    if (first !== undefined || last === undefined) return first?.seq;
    after = last.seq;
  }
}

/** Rows per page. */
const pageSize = 1_000;

/** Deletes the oldest tenth if the file is larger than `bytes`. */
export async function forgetBeyond(db: StateQueries, bytes: number): Promise<number> {
  const { rows } = await sql<{ readonly size: number }>`
    select (page_count - freelist_count) * page_size as size
    from pragma_page_count, pragma_freelist_count, pragma_page_size`.execute(db);
  const anchor = await db.selectFrom('audit_anchor').selectAll().executeTakeFirst();
  if (anchor === undefined || (rows[0]?.size ?? 0) <= bytes) return 0;
  const kept = anchor.head_seq - anchor.from_seq;
  return forgetUpTo(db, anchor.from_seq + Math.ceil(kept / 10));
}

function forgetUpTo(db: StateQueries, upTo: number): Promise<number> {
  return db.transaction().execute(async (step) => {
    const last = await step.selectFrom('audit_log').select('hash').where('seq', '=', upTo).executeTakeFirst();
    if (last === undefined) return 0;
    for (const table of ['mcp_invocations', 'audit_event'] as const)
      await step.deleteFrom(table).where('seq', '<=', upTo).execute();
    const { from_seq: before } = await step
      .selectFrom('audit_anchor')
      .select('from_seq')
      .executeTakeFirstOrThrow();
    await step.updateTable('audit_anchor').set({ from_seq: upTo, from_hash: last.hash }).execute();
    return upTo - before;
  });
}
