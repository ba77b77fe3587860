import { type Migration, sql } from 'kysely';

export const toolUse: Migration = {
  async up(db) {
    await sql`
      create table tool_use (
        client text not null,
        server text not null,
        tool text not null,
        day integer not null,
        calls integer not null,
        primary key (client, server, tool, day)
      ) strict`.execute(db);
  },
};
