import { SerialQueue } from '../../base/serial-queue.ts';
import type { StateDb } from '../../store/db/state-db.ts';
import type { StateQueries } from '../../store/db/tables.ts';

declare module '../../store/db/tables.ts' {
  interface StateTables {
    readonly mcp_servers: McpServerRow;
    readonly mcp_tools: McpToolRow;
  }
}

/** A server with an id that stays when its key changes. A removed server may come back by an undo. */
export interface McpServerRow {
  readonly server_id: string;
  readonly server_key: string;
  readonly version: string | null;
  readonly description: string | null;
  /** JSON array of strings. */
  readonly capabilities: string;
  /** JSON object. */
  readonly metadata: string;
  readonly registered_at: number;
  readonly removed_at: number | null;
}

/** A tool that was registered by definition. */
export interface McpToolRow {
  readonly id: string;
  readonly server_id: string;
  readonly tool_name: string;
  /** JSON Schema. */
  readonly schema: string;
  readonly version: string | null;
  readonly enabled: number;
  readonly registered_at: number;
}

/** Registered servers and tools, stored in `state.db`. Its promises reject like those of StateDb. */
export interface RegistryStore {
  /** Returns servers that have not been removed; creates missing ones with `make`. */
  servers(keys: readonly string[], make: (key: string) => McpServerRow): Promise<readonly McpServerRow[]>;
  /** Finds a server by id or key. */
  find(idOrKey: string): Promise<McpServerRow | undefined>;
  save(row: McpServerRow): Promise<void>;
  tools(): Promise<readonly (McpToolRow & { readonly server_key: string })[]>;
  /** Replaces tools of the same names. */
  saveTools(rows: readonly McpToolRow[]): Promise<void>;
  /** Gives a server another key; its id and tools stay. Never creates a database. */
  rename(from: string, to: string): Promise<void>;
  /** Marks a server as removed; it may come back. */
  remove(key: string, at: number): Promise<void>;
  /** Restores a removed server. */
  restore(key: string): Promise<void>;
  /** Deletes a removed server, because another one has its key now. */
  forget(key: string): Promise<void>;
  /** Resolves when everything requested so far is done. */
  settled(): Promise<void>;
}

export function registryStore(state: StateDb): RegistryStore {
  const queue = new SerialQueue();
  const write = (query: (db: StateQueries) => Promise<unknown>) =>
    queue.run(() => state.runIfThere((db) => query(db).then(noop), undefined));
  return {
    servers: (keys, make) =>
      queue.run(() => state.run((db) => db.transaction().execute((step) => rowsOf(step, keys, make)))),
    find: (idOrKey) => queue.run(() => state.runIfThere((db) => find(db, idOrKey), undefined)),
    save: (row) => queue.run(() => state.run((db) => put(db, row))),
    settled: () => queue.run(async () => undefined),
    tools: () => queue.run(() => state.runIfThere(allTools, [])),
    saveTools: (rows) =>
      queue.run(() =>
        state.run((db) =>
          db.transaction().execute(async (step) => {
            for (const row of rows) await putTool(step, row);
          }),
        ),
      ),
    rename: (from, to) =>
      write((db) =>
        db.transaction().execute(async (step) => {
          const known = await live(step).where('server_key', '=', from).executeTakeFirst();
          if (known === undefined) return;
          await step.deleteFrom('mcp_servers').where('server_key', '=', to).execute();
          await update(step, from, { server_key: to, removed_at: null });
        }),
      ),
    remove: (key, at) => write((db) => update(db, key, { removed_at: at })),
    restore: (key) => write((db) => update(db, key, { removed_at: null })),
    forget: (key) =>
      write((db) =>
        db
          .deleteFrom('mcp_servers')
          .where('server_key', '=', key)
          .where('removed_at', 'is not', null)
          .execute(),
      ),
  };
}

const noop = () => undefined;

async function rowsOf(
  db: StateQueries,
  keys: readonly string[],
  make: (key: string) => McpServerRow,
): Promise<readonly McpServerRow[]> {
  const known = new Map((await live(db).execute()).map((row) => [row.server_key, row]));
  const rows: McpServerRow[] = [];
  for (const key of keys) {
    const row = known.get(key) ?? make(key);
    if (!known.has(key)) await put(db, row);
    known.set(key, row);
    rows.push(row);
  }
  return rows;
}

function live(db: StateQueries) {
  return db.selectFrom('mcp_servers').selectAll().where('removed_at', 'is', null);
}

/** Prefers the id: a key that looks like another server's id does not happen by accident. */
async function find(db: StateQueries, idOrKey: string): Promise<McpServerRow | undefined> {
  const byId = await live(db).where('server_id', '=', idOrKey).executeTakeFirst();
  return byId ?? (await live(db).where('server_key', '=', idOrKey).executeTakeFirst());
}

/** Replaces the row with the same key, which may belong to a removed server. */
async function put(db: StateQueries, row: McpServerRow): Promise<void> {
  await db
    .deleteFrom('mcp_servers')
    .where('server_key', '=', row.server_key)
    .where('server_id', '!=', row.server_id)
    .execute();
  await db
    .insertInto('mcp_servers')
    .values(row)
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(row))
    .execute();
}

function update(db: StateQueries, key: string, change: Partial<McpServerRow>): Promise<unknown> {
  return db.updateTable('mcp_servers').set(change).where('server_key', '=', key).execute();
}

function allTools(db: StateQueries) {
  return db
    .selectFrom('mcp_tools')
    .innerJoin('mcp_servers', 'mcp_servers.server_id', 'mcp_tools.server_id')
    .selectAll('mcp_tools')
    .select('mcp_servers.server_key')
    .where('mcp_servers.removed_at', 'is', null)
    .orderBy('mcp_tools.tool_name')
    .execute();
}

function putTool(db: StateQueries, row: McpToolRow): Promise<unknown> {
  const { id: _id, registered_at: _at, ...change } = row;
  return db
    .insertInto('mcp_tools')
    .values(row)
    .onConflict((conflict) => conflict.columns(['server_id', 'tool_name']).doUpdateSet(change))
    .execute();
}
