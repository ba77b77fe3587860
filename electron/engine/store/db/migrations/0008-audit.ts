import { type Migration, sql } from 'kysely';

/**
 * The audit log, each row with the hash of the one before; and circuits in the table of the integration
 * design.
 */
export const audit: Migration = {
  async up(db) {
    await renameBreakers(db);
    await sql`
      create table mcp_invocations (
        seq integer primary key,
        id text not null,
        correlation_id text not null,
        agent_id text not null,
        server_id text not null,
        tool_name text not null,
        method text not null,
        params_hash text,
        success integer not null,
        outcome text not null,
        result_summary text,
        error_message text,
        attempts integer not null,
        latency_ms real,
        policy_decision text,
        cached_decision integer not null,
        is_partial integer not null,
        invoked_at integer not null,
        hash text not null
      ) strict`.execute(db);
    await sql`create index mcp_invocations_at on mcp_invocations (invoked_at)`.execute(db);
    await sql`
      create table audit_event (
        seq integer primary key,
        id text not null,
        at integer not null,
        kind text not null,
        action text not null,
        actor text not null,
        outcome text not null,
        server_id text,
        tool_name text,
        text text,
        hash text not null
      ) strict`.execute(db);
    await sql`
      create table audit_anchor (
        id integer primary key check (id = 1),
        from_seq integer not null,
        from_hash text not null,
        head_seq integer not null,
        head_hash text not null
      ) strict`.execute(db);
    await sql`
      create view audit_log as
      select seq, id, invoked_at as at, 'invocation' as kind, 'call' as action, agent_id as actor, outcome, server_id,
        tool_name, error_message as text, correlation_id, method, params_hash, success, result_summary, attempts,
        latency_ms, policy_decision, cached_decision, is_partial, hash
      from mcp_invocations
      union all
      select seq, id, at, kind, action, actor, outcome, server_id, tool_name, text, null, null, null, null, null, null,
        null, null, null, null, hash
      from audit_event`.execute(db);
  },
};

async function renameBreakers(db: Parameters<Migration['up']>[0]): Promise<void> {
  await sql`
    create table circuit_breakers (
      circuit_key text not null,
      server_id text not null,
      tool_name text not null,
      state text not null check (state in ('CLOSED', 'OPEN', 'HALF_OPEN')),
      failure_count integer not null,
      success_count integer not null,
      last_failure_time integer,
      opened_at integer,
      until integer,
      updated_at integer not null,
      primary key (server_id, tool_name)
    ) strict`.execute(db);
  await sql`
    insert into circuit_breakers
    select server || ':' || tool, server, tool, case state when 'open' then 'OPEN' else 'HALF_OPEN' end, failures,
      successes, opened_at, opened_at, until, updated_at
    from breaker`.execute(db);
  await sql`drop table breaker`.execute(db);
}
