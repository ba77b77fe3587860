import { CompiledQuery } from 'kysely';
import { inSizes } from '../in-sizes.ts';
import type { AuditEventRow, AuditLogRow, InvocationRow } from '../tables.ts';

/**
 * The statements that put rows into their tables. To give a value to SQLite takes most of the time that a row takes, so what rows
 * have in common is given once for many; and to have such a statement made by Kysely takes longer than to run it.
 */
export function* insertions(rows: readonly AuditLogRow[]): Generator<CompiledQuery> {
  const calls = rows.filter(({ kind }) => kind === 'invocation');
  for (const alike of groupsOf(calls))
    for (const some of inSizes(alike)) yield insertion('mcp_invocations', invocation, some);
  const others = calls.length === rows.length ? [] : rows.filter(({ kind }) => kind !== 'invocation');
  for (const some of inSizes(others)) yield insertion('audit_event', event, some);
}

type Member = keyof AuditLogRow;

interface Table {
  /** Each with the member of a row of the log that stands in it. */
  readonly columns: readonly (readonly [column: string, member: Member])[];
  /** Alike in all rows of a statement. */
  readonly common: readonly Member[];
  /** What each row has for itself. */
  readonly own: readonly Member[];
  /** By number of rows; few numbers, see {@link inSizes}. */
  readonly statements: Map<number, string>;
}

function table<R>(
  columns: readonly (readonly [column: keyof R & string, member: Member])[],
  common: readonly Member[],
): Table {
  const own = [...new Set(columns.map(([, member]) => member))].filter((member) => !common.includes(member));
  return { columns, common, own, statements: new Map() };
}

const event = table<AuditEventRow>(
  [
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
  ],
  [],
);

const invocation = table<InvocationRow>(
  [
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
  ],
  [
    'tool_name',
    'actor',
    'server_id',
    'method',
    'success',
    'outcome',
    'text',
    'attempts',
    'policy_decision',
    'cached_decision',
    'is_partial',
  ],
);

/** Rows with all of the common members alike; of many kinds at once, some kinds more than once. */
function groupsOf(rows: readonly AuditLogRow[]): readonly (readonly AuditLogRow[])[] {
  const groups: AuditLogRow[][] = [];
  for (const row of rows) {
    const group = groupFor(row, groups);
    if (group === undefined) groups.push([row]);
    else group.push(row);
  }
  return groups;
}

/** Most rows are like the one before. */
function groupFor(row: AuditLogRow, groups: readonly AuditLogRow[][]): AuditLogRow[] | undefined {
  const least = Math.max(0, groups.length - mostCompared);
  for (let at = groups.length - 1; at >= least; at -= 1) {
    const first = groups[at]?.[0];
    if (first !== undefined && isLike(first, row)) return groups[at];
  }
  return undefined;
}

const mostCompared = 16;

function isLike(first: AuditLogRow, row: AuditLogRow): boolean {
  for (const member of invocation.common) if (first[member] !== row[member]) return false;
  return true;
}

function insertion(name: string, shape: Table, rows: readonly AuditLogRow[]): CompiledQuery {
  const { common, own } = shape;
  const values: unknown[] = [];
  for (const member of common) values.push(rows[0]?.[member]);
  for (const row of rows) for (const member of own) values.push(row[member]);
  return CompiledQuery.raw(statementOf(name, shape, rows.length), values);
}

/** Made once for each size, as is what is prepared from it; see StatementCache. */
function statementOf(name: string, shape: Table, rows: number): string {
  const known = shape.statements.get(rows);
  if (known !== undefined) return known;
  const made = makeStatement(name, shape, rows);
  shape.statements.set(rows, made);
  return made;
}

function makeStatement(name: string, { columns, common, own }: Table, rows: number): string {
  const placeOf = (member: Member, row: number) =>
    common.includes(member)
      ? common.indexOf(member) + 1
      : common.length + row * own.length + own.indexOf(member) + 1;
  const values = Array.from(
    { length: rows },
    (_, row) => `(${columns.map(([, member]) => `?${placeOf(member, row)}`).join(', ')})`,
  );
  return `insert into ${name} (${columns.map(([column]) => column).join(', ')}) values ${values.join(', ')}`;
}
