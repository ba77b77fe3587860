import { type Migration, sql } from 'kysely';

/** Sessions over HTTP that outlive the hub: by a digest of their id, whose they are, and what is needed to go on. */
export const httpSession: Migration = {
  async up(db) {
    await sql`
      create table http_session (
        id_hash text not null primary key,
        holder text not null,
        data text not null,
        seen_at integer not null
      ) strict`.execute(db);
  },
};
