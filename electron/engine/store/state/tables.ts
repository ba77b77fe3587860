import type { Kysely } from 'kysely';

/** The tables of `state.db` as the last migration leaves them. */
export interface StateTables {
  readonly breaker: BreakerRow;
}

/** One row for each tool whose circuit is not closed. Times in epoch milliseconds. */
export interface BreakerRow {
  readonly server: string;
  readonly tool: string;
  readonly state: 'open' | 'half-open';
  readonly failures: number;
  readonly successes: number;
  readonly opened_at: number | null;
  readonly until: number | null;
  readonly updated_at: number;
}

/** Queries over the state, checked against its tables. */
export type StateQueries = Kysely<StateTables>;
