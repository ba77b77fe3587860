import { CompiledQuery } from 'kysely';
import { inFixedSizes } from '../store/in-fixed-sizes.ts';
import type { AuditEventRow, AuditLogRow, InvocationRow } from './tables.ts';

/**
 * Builds the statements that insert rows. Binding values takes most of the time per row, so values that rows
 * share are bound once; and building such statements with Kysely takes longer than running them.
 */
export function* insertions(rows: readonly AuditLogRow[]): Generator<CompiledQuery> {
  const calls = rows.filter(({ kind }) => kind === 'invocation');
  for (const alike of groupsOf(calls))
    for (const some of inFixedSizes(alike)) yield insertion('mcp_invocations', invocation, some);
  const others = calls.length === rows.length ? [] : rows.filter(({ kind }) => kind !== 'invocation');
  for (const some of inFixedSizes(others)) yield insertion('audit_event', event, some);
}

type Member = keyof AuditLogRow;

interface Table {
  /** Each column with the member of the log row that it stores. */
  readonly columns: readonly (readonly [column: string, member: Member])[];
  /** Equal in all rows of a statement. */
  readonly common: readonly Member[];
  /** Different in each row. */
  readonly own: readonly Member[];
  /** Number of rows -> statement. There are few different numbers, see {@link inFixedSizes}. */
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

/**
 * Groups rows whose common members are all equal. A kind may get more than one group if there are many kinds.
 */
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
  const oldest = Math.max(0, groups.length - maxCompared);
  for (let at = groups.length - 1; at >= oldest; at -= 1) {
    const first = groups[at]?.[0];
    if (first !== undefined && isLike(first, row)) return groups[at];
  }
  return undefined;
}

const maxCompared = 16;

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

/** Builds the text once for each size, so that the prepared statement is reused too; see StatementCache. */
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
