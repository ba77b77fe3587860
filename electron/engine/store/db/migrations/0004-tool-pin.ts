import { type Migration, sql } from 'kysely';

export const toolPin: Migration = {
  async up(db) {
    await sql`
      create table tool_pin (
        server text not null,
        tool text not null,
        approved text,
        approved_at integer,
        definition text,
        blocked text,
        primary key (server, tool)
      ) strict`.execute(db);
  },
};
