import { readFile } from 'node:fs/promises';
import { CompiledQuery } from 'kysely';
import { isRecord } from '../../../../shared/json.ts';
import type { StateQueries } from './tables.ts';

/** Tables with decisions of people, or rows that these refer to, in order of reference. */
const restored = ['identity', 'mcp_policies', 'tool_pin', 'mcp_servers', 'mcp_tools'] as const;

/**
 * Restores the deciding rows of a damaged database into the new one, from the lines that `salvage` wrote;
 * resolves to their number. Skips rows that the tables of this version do not accept.
 */
export async function restoreSaved(saved: string, db: StateQueries): Promise<number> {
  const text = await readFile(saved, 'utf8').catch(() => '');
  const rows = text.split('\n').flatMap((line) => readLine(line) ?? []);
  let count = 0;
  for (const table of restored)
    for (const one of rows)
      if (one.table === table && (await insert(db, table, one.row).catch(() => false))) count += 1;
  return count;
}

async function insert(
  db: StateQueries,
  table: string,
  row: Readonly<Record<string, unknown>>,
): Promise<true> {
  const columns = Object.keys(row).map((name) => `"${name.replaceAll('"', '""')}"`);
  const places = columns.map(() => '?');
  await db.executeQuery(
    CompiledQuery.raw(
      `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`,
      Object.values(row),
    ),
  );
  return true;
}

function readLine(line: string) {
  if (line === '') return undefined;
  const value: unknown = JSON.parse(line);
  return isRecord(value) && isRecord(value.row) ? { table: value.table, row: value.row } : undefined;
}
