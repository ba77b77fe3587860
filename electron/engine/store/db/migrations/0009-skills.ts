import { type Migration, sql } from 'kysely';

export const skills: Migration = {
  async up(db) {
    await sql`
      create table tool_skill (
        server text not null,
        tool text not null,
        digest text not null,
        classifier text not null,
        by text not null,
        skills text not null,
        keywords text not null,
        primary key (server, tool)
      ) strict`.execute(db);
    await sql`
      create table skill_suggestion (
        id text primary key,
        name text not null,
        description text not null,
        tools text not null,
        by text not null,
        state text not null
      ) strict`.execute(db);
    await sql`
      create table text_vector (
        model text not null,
        digest text not null,
        vector blob not null,
        primary key (model, digest)
      ) strict`.execute(db);
  },
};
