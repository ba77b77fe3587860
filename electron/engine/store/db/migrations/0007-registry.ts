import { type Migration, sql } from 'kysely';

/** Servers with a permanent id, and tools that were registered by definition. */
export const registry: Migration = {
  async up(db) {
    await sql`
      create table mcp_servers (
        server_id text primary key,
        server_key text not null unique,
        version text,
        description text,
        capabilities text not null,
        metadata text not null,
        registered_at integer not null,
        removed_at integer
      ) strict`.execute(db);
    await sql`
      create table mcp_tools (
        id text primary key,
        server_id text not null references mcp_servers (server_id) on delete cascade,
        tool_name text not null,
        schema text not null,
        version text,
        enabled integer not null,
        registered_at integer not null,
        unique (server_id, tool_name)
      ) strict`.execute(db);
  },
};
