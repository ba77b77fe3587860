import { type Migration, sql } from 'kysely';

export const breaker: Migration = {
  async up(db) {
    await sql`
      create table breaker (
        server text not null,
        tool text not null,
        state text not null check (state in ('open', 'half-open')),
        failures integer not null,
        successes integer not null,
        opened_at integer,
        until integer,
        updated_at integer not null,
        primary key (server, tool)
      ) strict`.execute(db);
  },
};
