import type { Kysely } from 'kysely';

/**
 * The tables of `state.db` after the last migration. Each room adds the tables that it owns, beside the code
 * that reads them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: rooms add their tables to it
export interface StateTables {}

/** Queries on the state, type-checked against its tables. */
export type StateQueries = Kysely<StateTables>;
