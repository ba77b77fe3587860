import { type Migration, sql } from 'kysely';

/**
 * HTTP sessions that survive a restart of the hub: a digest of the id, the owner, and the data to continue
 * with.
 */
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
