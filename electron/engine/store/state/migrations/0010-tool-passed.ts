import { type Migration, sql } from 'kysely';

/** Definitions that went through without approval: since when, and the text of the one before. */
export const toolPassed: Migration = {
  async up(db) {
    await sql`alter table tool_pin add column passed_at integer`.execute(db);
    await sql`alter table tool_pin add column previous text`.execute(db);
  },
};
