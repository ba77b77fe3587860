import { type Migration, sql } from 'kysely';

/** Keeps bodies apart from the columns that lists and filters read, so that these stay fast. */
export const activity: Migration = {
  async up(db) {
    await sql`
      create table activity (
        id integer primary key,
        at integer not null,
        client_id text not null,
        client_name text not null,
        server text not null,
        method text not null,
        name text,
        outcome text not null,
        milliseconds real not null,
        request_bytes integer not null,
        answer_bytes integer not null,
        kept integer not null
      ) strict`.execute(db);
    await sql`
      create table activity_body (
        id integer primary key references activity (id) on delete cascade,
        arguments text,
        result text,
        is_cut integer not null
      ) strict`.execute(db);
  },
};
