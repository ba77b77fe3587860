declare module '../../store/db/tables.ts' {
  interface StateTables {
    readonly mcp_invocations: InvocationRow;
    readonly audit_event: AuditEventRow;
    readonly audit_anchor: AuditAnchorRow;
    /** Both kinds of audit rows; read-only. */
    readonly audit_log: AuditLogRow;
  }
}

/**
 * One call, and whether it was allowed; `seq` and `hash` chain it to the rest of the audit log. Times in
 * epoch milliseconds.
 */
export interface InvocationRow {
  readonly seq: number;
  readonly id: string;
  readonly correlation_id: string;
  readonly agent_id: string;
  readonly server_id: string;
  readonly tool_name: string;
  readonly method: string;
  readonly params_hash: string | null;
  readonly success: number;
  readonly outcome: string;
  readonly result_summary: string | null;
  readonly error_message: string | null;
  readonly attempts: number;
  readonly latency_ms: number | null;
  readonly policy_decision: string | null;
  readonly cached_decision: number;
  readonly is_partial: number;
  readonly invoked_at: number;
  readonly hash: string;
}

/** Any other audited operation. */
export interface AuditEventRow {
  readonly seq: number;
  readonly id: string;
  readonly at: number;
  readonly kind: string;
  readonly action: string;
  readonly actor: string;
  readonly outcome: string;
  readonly server_id: string | null;
  readonly tool_name: string | null;
  readonly text: string | null;
  readonly hash: string;
}

/** Start of the audit log, after the last deleted row, and its end; a single row. */
export interface AuditAnchorRow {
  readonly id: number;
  readonly from_seq: number;
  readonly from_hash: string;
  readonly head_seq: number;
  readonly head_hash: string;
}

export interface AuditLogRow extends AuditEventRow {
  readonly correlation_id: string | null;
  readonly method: string | null;
  readonly params_hash: string | null;
  readonly success: number | null;
  readonly result_summary: string | null;
  readonly attempts: number | null;
  readonly latency_ms: number | null;
  readonly policy_decision: string | null;
  readonly cached_decision: number | null;
  readonly is_partial: number | null;
}
