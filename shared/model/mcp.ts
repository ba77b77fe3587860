/** Session-based protocol revisions that we support, newest first: all that the official SDK accepts. */
export const protocolVersions: readonly [string, ...string[]] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

/** The stateless revision that we speak. Later revisions compare greater as text. */
export const modernVersion = '2026-07-28';

/** Member of `_meta` that names the task which a message belongs to. */
export const relatedTaskKey = 'io.modelcontextprotocol/related-task';

/** Methods that list what a server offers. */
export const listMethods = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
] as const;
export type ListMethod = (typeof listMethods)[number];

export function isListMethod(method: string): method is ListMethod {
  return listMethods.some((known) => known === method);
}

/** The member of a list's result that holds its items. */
export const listKeys = {
  'tools/list': 'tools',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'prompts/list': 'prompts',
} as const satisfies Readonly<Record<ListMethod, string>>;

/** Error codes of MCP besides those of JSON-RPC. */
export const mcpErrorCodes = {
  timeout: -32001,
  /** Shares its number with the one above; sent over HTTP only. */
  sessionNotFound: -32001,
  resourceNotFound: -32002,
  urlElicitationRequired: -32042,
} as const;

/** Error codes of our own that several programs send; `error-map` has the others. */
export const hubErrorCodes = { serverUnavailable: -32010, outcomeUnknown: -32011, draining: -32017 } as const;
