import { modernVersion } from '../../../../shared/model/mcp.ts';
import type { JsonRpcErrorObject } from '../../jsonrpc/message.ts';

/** Members of `_meta` that make up the envelope of a modern message. */
export const metaKeys = {
  version: 'io.modelcontextprotocol/protocolVersion',
  capabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;

/** Prefix of all of them, as bytes look in JSON. */
export const reservedPrefix = 'io.modelcontextprotocol/';

/**
 * Members of `_meta` between our own programs and rooms: the capabilities of a modern client for one request, those
 * of a client with a session, the key of a modern server's question, the request that a question belongs to, the era
 * of the client that a session is initialized for, the wish to be notified about a task, and the mark of a call that
 * goes on with the state of a modern server. Removed before anything leaves for a client or server.
 */
export const hopKeys = {
  capabilities: 'patchbay/clientCapabilities',
  session: 'patchbay/sessionCapabilities',
  inputKey: 'patchbay/inputKey',
  relatedTo: 'patchbay/relatedTo',
  era: 'patchbay/era',
  watch: 'patchbay/watch',
  goesOn: 'patchbay/goesOn',
} as const;

export const modernErrorCodes = {
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022,
} as const;

/** Methods that a modern server answers. */
export const modernMethods: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
  'subscriptions/listen',
  'tasks/get',
  'tasks/update',
  'tasks/cancel',
]);

/** Member of the params that the `Mcp-Name` header repeats, by method. */
export const namedBy: ReadonlyMap<string, 'name' | 'uri' | 'taskId'> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/** Methods whose complete results say how long they may be cached. */
export const cacheableMethods: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]);

/** Methods that may be answered with questions. */
export const askingMethods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

export function isModernVersion(version: unknown): boolean {
  if (version === modernVersion) return true;
  return typeof version === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(version) && version > modernVersion;
}

export function unsupportedVersion(requested: unknown, supported: readonly string[]): JsonRpcErrorObject {
  const named = typeof requested === 'string' ? requested.slice(0, 64) : 'none';
  return {
    code: modernErrorCodes.unsupportedVersion,
    message: `Unsupported protocol version: ${named} (supported: ${supported.join(', ')})`,
    data: { supported, requested: named },
  };
}
