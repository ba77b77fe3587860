import { type Migration, sql } from 'kysely';

/** How client and server of an entry spoke, in words; unknown for earlier entries. */
export const activityProtocol: Migration = {
  async up(db) {
    await sql`alter table activity add column client_protocol text`.execute(db);
    await sql`alter table activity add column server_protocol text`.execute(db);
  },
};
