declare module '../store/db/tables.ts' {
  interface StateTables {
    readonly identity: IdentityRow;
    readonly mcp_policies: PolicyRow;
    readonly mcp_tokens: ToolTokenRow;
  }
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
