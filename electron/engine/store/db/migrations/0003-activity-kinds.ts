import { type Migration, sql } from 'kysely';

/** Adds other kinds than calls: most columns may be null now, so the tables are recreated. */
export const activityKinds: Migration = {
  async up(db) {
    await sql`create temp table old_activity as select * from activity`.execute(db);
    await sql`create temp table old_body as select * from activity_body`.execute(db);
    await sql`drop table activity_body`.execute(db);
    await sql`drop table activity`.execute(db);
    await sql`
      create table activity (
        id integer primary key,
        at integer not null,
        kind text not null,
        client_id text,
        client_name text,
        server text,
        method text,
        name text,
        outcome text not null,
        milliseconds real,
        request_bytes integer,
        answer_bytes integer,
        attempts integer,
        fallback text,
        repeated integer,
        count integer,
        text text,
        tone text,
        kept integer not null
      ) strict`.execute(db);
    await sql`
      create table activity_body (
        id integer primary key references activity (id) on delete cascade,
        arguments text,
        result text,
        is_cut integer not null
      ) strict`.execute(db);
    await sql`
      insert into activity (id, at, kind, client_id, client_name, server, method, name, outcome, milliseconds,
        request_bytes, answer_bytes, kept)
      select id, at, 'call', client_id, client_name, server, method, name, outcome, milliseconds,
        request_bytes, answer_bytes, kept from old_activity`.execute(db);
    await sql`insert into activity_body select id, arguments, result, is_cut from old_body`.execute(db);
    await sql`drop table temp.old_activity`.execute(db);
    await sql`drop table temp.old_body`.execute(db);
  },
};
