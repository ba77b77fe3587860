import { CompiledQuery, sql } from 'kysely';
import { inSizes } from '../in-sizes.ts';
import type { AuditEventRow, AuditLogRow, InvocationRow, StateQueries } from '../tables.ts';
import type { AuditEntry } from './audit.ts';
import { genesis, hashOf, toLogRow } from './audit-row.ts';

/** The end of the chain. */
interface Head {
  readonly seq: number;
  readonly hash: string;
}

/** Appends to the chain. One at a time may. */
export interface AuditWriter {
  append(db: StateQueries, entries: readonly AuditEntry[]): Promise<void>;
}

export function createAuditWriter(): AuditWriter {
  // Read once; by database, since one that replaces a damaged one has a chain of its own.
  const known = new WeakMap<StateQueries, Head>();
  return {
    async append(db, entries) {
      const before = known.get(db);
      // If it fails, it is read anew.
      known.delete(db);
      const head = await db.transaction().execute(async (step) => {
        const { rows, end } = chain(before ?? (await readHead(step)), entries);
        await insert(step, rows);
        await step
          .insertInto('audit_anchor')
          .values({ id: 1, from_seq: 0, from_hash: genesis, head_seq: end.seq, head_hash: end.hash })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ head_seq: end.seq, head_hash: end.hash }),
          )
          .execute();
        return end;
      });
      known.set(db, head);
    },
  };
}

async function readHead(db: StateQueries): Promise<Head> {
  const anchor = await db.selectFrom('audit_anchor').selectAll().executeTakeFirst();
  return anchor === undefined ? { seq: 0, hash: genesis } : { seq: anchor.head_seq, hash: anchor.head_hash };
}

function chain(start: Head, entries: readonly AuditEntry[]) {
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

async function insert(db: StateQueries, rows: readonly AuditLogRow[]): Promise<void> {
  const calls = rows.filter(({ kind }) => kind === 'invocation');
  const others = calls.length === rows.length ? [] : rows.filter(({ kind }) => kind !== 'invocation');
  for (const some of inSizes(calls)) await db.executeQuery(insertion('mcp_invocations', invocation, some));
  for (const some of inSizes(others)) await db.executeQuery(insertion('audit_event', event, some));
}

/** Columns of a table, each with the member of a row of the log that stands in it. */
type Columns<R> = readonly (readonly [column: keyof R & string, member: keyof AuditLogRow])[];

/** To have such a statement made anew each time takes longer than to run it. */
function insertion<R>(table: string, columns: Columns<R>, rows: readonly AuditLogRow[]): CompiledQuery {
  const names = columns.map(([column]) => column).join(', ');
  const places = `(${columns.map(() => '?').join(', ')})`;
  const values: unknown[] = [];
  for (const row of rows) for (const [, member] of columns) values.push(row[member]);
  return CompiledQuery.raw(
    `insert into ${table} (${names}) values ${rows.map(() => places).join(', ')}`,
    values,
  );
}

const event: Columns<AuditEventRow> = [
  ['seq', 'seq'],
  ['id', 'id'],
  ['at', 'at'],
  ['kind', 'kind'],
  ['action', 'action'],
  ['actor', 'actor'],
  ['outcome', 'outcome'],
  ['server_id', 'server_id'],
  ['tool_name', 'tool_name'],
  ['text', 'text'],
  ['hash', 'hash'],
];

const invocation: Columns<InvocationRow> = [
  ['seq', 'seq'],
  ['id', 'id'],
  ['correlation_id', 'correlation_id'],
  ['agent_id', 'actor'],
  ['server_id', 'server_id'],
  ['tool_name', 'tool_name'],
  ['method', 'method'],
  ['params_hash', 'params_hash'],
  ['success', 'success'],
  ['outcome', 'outcome'],
  ['result_summary', 'result_summary'],
  ['error_message', 'text'],
  ['attempts', 'attempts'],
  ['latency_ms', 'latency_ms'],
  ['policy_decision', 'policy_decision'],
  ['cached_decision', 'cached_decision'],
  ['is_partial', 'is_partial'],
  ['invoked_at', 'at'],
  ['hash', 'hash'],
];

/** Forgets what came before a time, and notes where the chain begins now; resolves to how many went. */
export async function forgetBefore(db: StateQueries, at: number): Promise<number> {
  const { first } = await db
    .selectFrom('audit_log')
    .select(({ fn }) => fn.min('seq').as('first'))
    .where('at', '>=', at)
    .executeTakeFirstOrThrow();
  const anchor = await db.selectFrom('audit_anchor').selectAll().executeTakeFirst();
  const upTo = first === null ? anchor?.head_seq : Number(first) - 1;
  return upTo === undefined ? 0 : forgetUpTo(db, upTo);
}

/** Forgets the oldest tenth while the file is larger than that. */
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
