import { z } from 'zod';

const text = z.string();
const time = z.int();
const noText = z.string().nullable();
const noTime = z.int().nullable();

/** Rows of `state.db` that hold people's decisions, by table. */
export const setupRowsSchema = z.object({
  identity: z.array(
    z.object({
      id: text,
      kind: z.enum(['client', 'agent']),
      name: text,
      owner: noText,
      created_at: time,
      expires_at: noTime,
      revoked_at: noTime,
      token_hash: noText,
      last_seen_at: noTime,
    }),
  ),
  mcp_policies: z.array(
    z.object({
      id: text,
      agent_id: text,
      effect: z.enum(['allow', 'ask', 'deny']),
      scope: z.enum(['all', 'server', 'tool', 'pattern', 'risk']),
      server_id: text,
      tool_name: text,
      needs_token: z.int(),
      granted_at: time,
      granted_by: text,
      expires_at: noTime,
    }),
  ),
  tool_pin: z.array(
    z.object({
      server: text,
      tool: text,
      approved: noText,
      approved_at: noTime,
      definition: noText,
      blocked: noText,
      passed_at: noTime,
      previous: noText,
    }),
  ),
  mcp_servers: z.array(
    z.object({
      server_id: text,
      server_key: text,
      version: noText,
      description: noText,
      capabilities: text,
      metadata: text,
      registered_at: time,
      removed_at: noTime,
    }),
  ),
  mcp_tools: z.array(
    z.object({
      id: text,
      server_id: text,
      tool_name: text,
      schema: text,
      version: noText,
      enabled: z.int(),
      registered_at: time,
    }),
  ),
  tool_skill: z.array(
    z.object({
      server: text,
      tool: text,
      digest: text,
      classifier: text,
      by: text,
      skills: text,
      keywords: text,
    }),
  ),
  skill_suggestion: z.array(
    z.object({ id: text, name: text, description: text, tools: text, by: text, state: text }),
  ),
});

export type SetupRows = z.infer<typeof setupRowsSchema>;

export const noRows: SetupRows = {
  identity: [],
  mcp_policies: [],
  tool_pin: [],
  mcp_servers: [],
  mcp_tools: [],
  tool_skill: [],
  skill_suggestion: [],
};

/**
 * Removes rows that a database would refuse: those with a duplicate id or name, and those that refer to
 * missing rows.
 */
export function validRows(rows: SetupRows): SetupRows {
  const identity = firstByKey(
    firstByKey(rows.identity, ({ id }) => id),
    ({ kind, name }) => `${kind} ${name}`,
  );
  const mcp_servers = firstByKey(
    firstByKey(rows.mcp_servers, ({ server_id }) => server_id),
    ({ server_key }) => server_key,
  );
  const identities = new Set(identity.map(({ id }) => id));
  const servers = new Set(mcp_servers.map(({ server_id }) => server_id));
  return {
    ...rows,
    identity,
    mcp_servers,
    mcp_policies: rows.mcp_policies.filter(({ agent_id }) => identities.has(agent_id)),
    mcp_tools: rows.mcp_tools.filter(({ server_id }) => servers.has(server_id)),
  };
}

function firstByKey<T>(rows: readonly T[], keyOf: (row: T) => string): T[] {
  const found = new Map<string, T>();
  for (const row of rows) if (!found.has(keyOf(row))) found.set(keyOf(row), row);
  return [...found.values()];
}

/** Files of the data folder that a backup contains as text; absent if they do not exist. */
export const setupFilesSchema = z.object({
  config: text,
  settings: text.optional(),
  profiles: text.optional(),
  search: text.optional(),
  checks: text.optional(),
});

export type SetupFiles = z.infer<typeof setupFilesSchema>;

/** The complete setup of a data folder, without data that only this machine needs. */
export interface Setup {
  readonly files: SetupFiles;
  readonly rows: SetupRows;
  /** Text of `secrets.json`, encrypted by this machine; absent if it stays unchanged. */
  readonly vault?: string | undefined;
}
