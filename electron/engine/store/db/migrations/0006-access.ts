import { type Migration, sql } from 'kysely';

/** Identities, grants and tokens. Only the SHA-256 of a token is stored. */
export const access: Migration = {
  async up(db) {
    await sql`
      create table identity (
        id text primary key,
        kind text not null check (kind in ('client', 'agent')),
        name text not null,
        owner text,
        created_at integer not null,
        expires_at integer,
        revoked_at integer,
        token_hash text,
        last_seen_at integer,
        unique (kind, name)
      ) strict`.execute(db);
    await sql`
      create table mcp_policies (
        id text primary key,
        agent_id text not null references identity (id) on delete cascade,
        effect text not null check (effect in ('allow', 'ask', 'deny')),
        scope text not null check (scope in ('all', 'server', 'tool', 'pattern', 'risk')),
        server_id text not null,
        tool_name text not null,
        needs_token integer not null,
        granted_at integer not null,
        granted_by text not null,
        expires_at integer,
        unique (agent_id, scope, server_id, tool_name)
      ) strict`.execute(db);
    await sql`
      create table mcp_tokens (
        token_id text primary key,
        agent_id text not null references identity (id) on delete cascade,
        server_id text not null,
        tool_name text not null,
        created_at integer not null,
        expires_at integer not null
      ) strict`.execute(db);
    await sql`create index mcp_tokens_agent on mcp_tokens (agent_id)`.execute(db);
  },
};
