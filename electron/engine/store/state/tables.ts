import type { Kysely } from 'kysely';

/** The tables of `state.db` after the last migration. */
export interface StateTables {
  readonly circuit_breakers: BreakerRow;
  readonly activity: ActivityTable;
  readonly activity_body: ActivityBodyTable;
  readonly tool_pin: ToolPinRow;
  readonly tool_use: ToolUseRow;
  readonly mcp_invocations: InvocationRow;
  readonly audit_event: AuditEventRow;
  readonly audit_anchor: AuditAnchorRow;
  /** Both kinds of audit rows; read-only. */
  readonly audit_log: AuditLogRow;
  readonly identity: IdentityRow;
  readonly mcp_policies: PolicyRow;
  readonly mcp_tokens: ToolTokenRow;
  readonly mcp_servers: McpServerRow;
  readonly mcp_tools: McpToolRow;
  readonly tool_skill: ToolSkillRow;
  readonly skill_suggestion: SkillSuggestionRow;
  readonly text_vector: TextVectorRow;
  readonly http_session: HttpSessionRow;
}

/** One row per tool whose circuit is not closed. Times in epoch milliseconds. */
export interface BreakerRow {
  /** `server:tool`. */
  readonly circuit_key: string;
  readonly server_id: string;
  readonly tool_name: string;
  readonly state: 'OPEN' | 'HALF_OPEN';
  readonly failure_count: number;
  readonly success_count: number;
  readonly last_failure_time: number | null;
  readonly opened_at: number | null;
  readonly until: number | null;
  readonly updated_at: number;
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
}

export interface ActivityBodyTable {
  readonly id: number;
  readonly arguments: string | null;
  readonly result: string | null;
  /** 1 if something was left out. */
  readonly is_cut: number;
}

/**
 * The decision about a tool's definitions: digests, with the approved ones separated by spaces, and the text
 * of the first.
 */
export interface ToolPinRow {
  readonly server: string;
  readonly tool: string;
  readonly approved: string | null;
  readonly approved_at: number | null;
  readonly definition: string | null;
  readonly blocked: string | null;
  readonly passed_at: number | null;
  readonly previous: string | null;
}

/** Number of calls of a tool by a client on a day, counted from the epoch. */
export interface ToolUseRow {
  readonly client: string;
  readonly server: string;
  readonly tool: string;
  readonly day: number;
  readonly calls: number;
}

/** A client or agent. Times in epoch milliseconds. */
export interface IdentityRow {
  readonly id: string;
  readonly kind: 'client' | 'agent';
  readonly name: string;
  readonly owner: string | null;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  /** SHA-256 of its bearer token, in hexadecimal. */
  readonly token_hash: string | null;
  readonly last_seen_at: number | null;
}

/**
 * One grant. `server_id` and `tool_name` are filled as far as the scope needs them, otherwise empty; patterns
 * and risk classes are in `tool_name`.
 */
export interface PolicyRow {
  readonly id: string;
  readonly agent_id: string;
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly scope: 'all' | 'server' | 'tool' | 'pattern' | 'risk';
  readonly server_id: string;
  readonly tool_name: string;
  readonly needs_token: number;
  readonly granted_at: number;
  readonly granted_by: string;
  readonly expires_at: number | null;
}

/** A temporary permission for one tool. */
export interface ToolTokenRow {
  readonly token_id: string;
  readonly agent_id: string;
  readonly server_id: string;
  readonly tool_name: string;
  readonly created_at: number;
  readonly expires_at: number;
}

/** A server with an id that stays when its key changes. A removed server may come back by an undo. */
export interface McpServerRow {
  readonly server_id: string;
  readonly server_key: string;
  readonly version: string | null;
  readonly description: string | null;
  /** JSON array of strings. */
  readonly capabilities: string;
  /** JSON object. */
  readonly metadata: string;
  readonly registered_at: number;
  readonly removed_at: number | null;
}

/** A tool that was registered by definition. */
export interface McpToolRow {
  readonly id: string;
  readonly server_id: string;
  readonly tool_name: string;
  /** JSON Schema. */
  readonly schema: string;
  readonly version: string | null;
  readonly enabled: number;
  readonly registered_at: number;
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

/** Skills found for a tool, with the classifier and the digest of the text; lists as JSON. */
export interface ToolSkillRow {
  readonly server: string;
  readonly tool: string;
  readonly digest: string;
  readonly classifier: string;
  readonly by: string;
  readonly skills: string;
  readonly keywords: string;
}

/** A suggested skill, and what was decided about it. */
export interface SkillSuggestionRow {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly tools: string;
  readonly by: string;
  readonly state: string;
}

/** Embedding of a text by a model: consecutive 32-bit numbers. */
export interface TextVectorRow {
  readonly model: string;
  readonly digest: string;
  readonly vector: Uint8Array;
}

/** An HTTP session by a digest of its id; `data` is JSON. Time in epoch milliseconds. */
export interface HttpSessionRow {
  readonly id_hash: string;
  readonly holder: string;
  readonly data: string;
  readonly seen_at: number;
}

/** Queries on the state, type-checked against its tables. */
export type StateQueries = Kysely<StateTables>;
