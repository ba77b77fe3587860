// Tables that a backup holds, imported from the rooms that own them.
import type {} from '../access/tables.ts';
import type {} from '../api/registry/registry-store.ts';
import type {} from '../pinning/tool-pins.ts';
import type {} from '../search/service/skill-store.ts';
import type { StateDb } from '../store/db/state-db.ts';
import type { StateQueries } from '../store/db/tables.ts';
import { noRows, type SetupRows } from './setup.ts';

/** Reads the rows for a backup; does not create a database. */
export function readSetupRows(state: StateDb): Promise<SetupRows> {
  return state.runIfThere(readAll, noRows);
}

/** Replaces the existing rows with these, in one transaction; rejects as StateDb does. */
export function replaceSetupRows(state: StateDb, rows: SetupRows): Promise<void> {
  const query = (db: StateQueries) => db.transaction().execute((step) => replaceAll(step, rows));
  const isEmpty = Object.values(rows).every((table) => table.length === 0);
  return isEmpty ? state.runIfThere(query, undefined) : state.run(query);
}

async function readAll(db: StateQueries): Promise<SetupRows> {
  return {
    identity: await db.selectFrom('identity').selectAll().orderBy('id').execute(),
    mcp_policies: await db.selectFrom('mcp_policies').selectAll().orderBy('id').execute(),
    tool_pin: await db.selectFrom('tool_pin').selectAll().orderBy('server').orderBy('tool').execute(),
    mcp_servers: await db.selectFrom('mcp_servers').selectAll().orderBy('server_id').execute(),
    mcp_tools: await db.selectFrom('mcp_tools').selectAll().orderBy('id').execute(),
    tool_skill: await db
      .selectFrom('tool_skill')
      .selectAll()
      .where('by', '=', 'person')
      .orderBy('server')
      .orderBy('tool')
      .execute(),
    skill_suggestion: await db.selectFrom('skill_suggestion').selectAll().orderBy('id').execute(),
  };
}

async function replaceAll(db: StateQueries, rows: SetupRows): Promise<void> {
  await replaceIdentities(db, rows);
  await db.deleteFrom('mcp_tools').execute();
  await db.deleteFrom('mcp_servers').execute();
  await db.deleteFrom('tool_pin').execute();
  await db.deleteFrom('tool_skill').where('by', '=', 'person').execute();
  await db.deleteFrom('skill_suggestion').execute();
  for (const some of chunksOf(rows.mcp_policies))
    await db.insertInto('mcp_policies').orIgnore().values(some).execute();
  for (const some of chunksOf(rows.mcp_servers))
    await db.insertInto('mcp_servers').orIgnore().values(some).execute();
  for (const some of chunksOf(rows.mcp_tools))
    await db.insertInto('mcp_tools').orIgnore().values(some).execute();
  for (const some of chunksOf(rows.tool_pin))
    await db.insertInto('tool_pin').orIgnore().values(some).execute();
  for (const some of chunksOf(rows.tool_skill)) await db.replaceInto('tool_skill').values(some).execute();
  for (const some of chunksOf(rows.skill_suggestion))
    await db.insertInto('skill_suggestion').orIgnore().values(some).execute();
}

/** Keeps the temporary permissions of an identity that stays; backups do not contain them. */
async function replaceIdentities(db: StateQueries, { identity }: SetupRows): Promise<void> {
  const after = new Map(identity.map((row) => [row.id, row]));
  await db.deleteFrom('mcp_policies').execute();
  for (const { id, kind, name } of await db.selectFrom('identity').selectAll().execute()) {
    const same = after.get(id);
    if (same?.kind === kind && same.name === name) continue;
    await db.deleteFrom('mcp_tokens').where('agent_id', '=', id).execute();
    await db.deleteFrom('identity').where('id', '=', id).execute();
  }
  for (const { id, ...fields } of identity)
    await db
      .insertInto('identity')
      .values({ id, ...fields })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(fields))
      .execute();
}

/** SQLite limits the number of values in a statement. */
function chunksOf<T>(rows: readonly T[]): readonly T[][] {
  const count = Math.ceil(rows.length / rowsPerStatement);
  return Array.from({ length: count }, (_, index) =>
    rows.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement),
  );
}

const rowsPerStatement = 50;
