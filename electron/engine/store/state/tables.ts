import type { Kysely } from 'kysely';

/** The tables of `state.db` as the last migration leaves them. */
export interface StateTables {
  readonly breaker: BreakerRow;
  readonly activity: ActivityRow;
  readonly activity_body: ActivityBodyRow;
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

/** One call that has ended. */
export interface ActivityRow {
  readonly id: number;
  /** When it began. */
  readonly at: number;
  readonly client_id: string;
  readonly client_name: string;
  readonly server: string;
  readonly method: string;
  readonly name: string | null;
  readonly outcome: string;
  readonly milliseconds: number;
  readonly request_bytes: number;
  readonly answer_bytes: number;
  /** Characters that this table and the next keep of it, roughly. */
  readonly kept: number;
}

export interface ActivityBodyRow {
  readonly id: number;
  readonly arguments: string | null;
  readonly result: string | null;
  /** 1 where one of them was longer. */
  readonly is_cut: number;
}

/** Queries over the state, checked against its tables. */
export type StateQueries = Kysely<StateTables>;
