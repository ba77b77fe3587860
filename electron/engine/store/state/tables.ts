import type { Kysely } from 'kysely';

/** The tables of `state.db` as the last migration leaves them. */
export interface StateTables {
  readonly breaker: BreakerRow;
  readonly activity: ActivityTable;
  readonly activity_body: ActivityBodyTable;
  readonly tool_pin: ToolPinRow;
  readonly tool_use: ToolUseRow;
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

/** One thing that went through the hub; see ActivityRow of the shared model. */
export interface ActivityTable {
  readonly id: number;
  readonly at: number;
  readonly kind: string;
  readonly client_id: string | null;
  readonly client_name: string | null;
  readonly server: string | null;
  readonly method: string | null;
  readonly name: string | null;
  readonly outcome: string;
  readonly milliseconds: number | null;
  readonly request_bytes: number | null;
  readonly answer_bytes: number | null;
  readonly attempts: number | null;
  readonly fallback: string | null;
  readonly repeated: number | null;
  readonly count: number | null;
  readonly text: string | null;
  readonly tone: string | null;
  /** Characters that this table and the next keep of it, roughly. */
  readonly kept: number;
}

export interface ActivityBodyTable {
  readonly id: number;
  readonly arguments: string | null;
  readonly result: string | null;
  /** 1 where something was left out. */
  readonly is_cut: number;
}

/** What has been decided about a tool's definitions: digests, those approved separated by spaces, and the text of the first. */
export interface ToolPinRow {
  readonly server: string;
  readonly tool: string;
  readonly approved: string | null;
  readonly approved_at: number | null;
  readonly definition: string | null;
  readonly blocked: string | null;
}

/** How often a client has called a tool on a day, counted from the epoch. */
export interface ToolUseRow {
  readonly client: string;
  readonly server: string;
  readonly tool: string;
  readonly day: number;
  readonly calls: number;
}

/** Queries over the state, checked against its tables. */
export type StateQueries = Kysely<StateTables>;
