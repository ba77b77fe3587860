declare module '../../store/db/tables.ts' {
  interface StateTables {
    readonly activity: ActivityTable;
    readonly activity_body: ActivityBodyTable;
  }
}

/** One entry of activity; see ActivityRow of the shared model. */
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
  /** Approximate number of characters that this table and the next store for it. */
  readonly kept: number;
  readonly client_protocol: string | null;
  readonly server_protocol: string | null;
}

export interface ActivityBodyTable {
  readonly id: number;
  readonly arguments: string | null;
  readonly result: string | null;
  /** 1 if something was left out. */
  readonly is_cut: number;
}
