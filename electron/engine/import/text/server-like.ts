import type { JsonNode } from '../../config/parse.ts';
import { memberOf, membersOf } from '../../config/tree.ts';

/** Members whose text is the address or the command. */
export const targetMembers: ReadonlySet<string> = new Set([
  'url',
  'serverUrl',
  'server_url',
  'httpUrl',
  'baseUrl',
  'endpoint',
  'uri',
  'cmd',
  'sseUrl',
  'sseEndpoint',
  'endpointUrl',
  'remoteUrl',
  'remote_url',
]);

/** Members that contain the command or address, with options beside them. */
export const innerNames = [
  'params',
  'connection_params',
  'server_params',
  'stdio_server_params',
  'stdio_connection_params',
  'sse_server_params',
  'sse_connection_params',
  'streamable_http_connection_params',
] as const;
/** Servers may have these names too: a text beside them tells the two apart. */
export const plainInnerNames = ['config', 'stdio', 'remote'] as const;
/** Members with the parts of an address: `sse: { host, port, path }`. */
export const hostNames = ['mcp', 'sse', 'static'] as const;

export function isServerLike(node: JsonNode): boolean {
  if (node.type !== 'object') return false;
  if (isTarget(node)) return true;
  const inner = (name: string) => memberOf(node, name)?.value;
  const isNested = ['path', 'command'].some(
    (name) => memberOf(inner('command'), name)?.value.type === 'string',
  );
  const transport = inner('transport');
  if (isNested || transport?.type === 'object') return !isMapOfMany(node);
  if (transport !== undefined && transport.type !== 'null') return true;
  const hasText = membersOf(node).some(({ value }) => value.type === 'string');
  if (inner('name')?.type === 'string' && hostNames.some((name) => isRemoteHost(inner(name)))) return true;
  return [...innerNames, ...(hasText ? plainInnerNames : [])].some((name) => {
    const value = inner(name);
    return value !== undefined && isServerLike(value);
  });
}

/** Recognizes a host to connect to, not one that a program listens on. */
function isRemoteHost(node: JsonNode | undefined): boolean {
  const host = memberOf(node, 'host')?.value;
  return host?.type === 'string' && !/^(?:0\.0\.0\.0|\[?::\]?|)$/.test(String(host.value));
}

/** Returns whether the node itself has a command or an address. */
export function isTarget(node: JsonNode): boolean {
  const type = (key: string) => memberOf(node, key)?.value.type;
  const command = type('command');
  return (
    command === 'string' ||
    command === 'array' ||
    type('cmd') === 'array' ||
    membersOf(node).some(({ key, value }) => targetMembers.has(key) && value.type === 'string') ||
    (type('type') === 'string' && type('args') === 'array')
  );
}

/** Servers may be named "transport" or "command"; they have siblings then. */
function isMapOfMany(node: JsonNode): boolean {
  const members = membersOf(node);
  return members.length > 1 && members.every(({ value }) => isServerLike(value));
}

/** Recognizes a map of servers by name. */
export function isServerMap(node: JsonNode): boolean {
  const members = membersOf(node);
  return (
    !isServerLike(node) &&
    members.every(({ value }) => value.type === 'object') &&
    members.some(({ value }) => isServerLike(value))
  );
}

/** Recognizes `enabled: false`, or `disabled: true`. */
export function isOff(node: JsonNode): boolean {
  return memberOf(node, 'enabled')?.value.value === false || memberOf(node, 'disabled')?.value.value === true;
}
