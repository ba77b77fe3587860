import { type Migration, sql } from 'kysely';

/** Definitions approved without review: since when, and the text of the previous one. */
export const toolPassed: Migration = {
  async up(db) {
    await sql`alter table tool_pin add column passed_at integer`.execute(db);
    await sql`alter table tool_pin add column previous text`.execute(db);
  },
};
