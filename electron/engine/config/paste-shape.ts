import type { JsonNode } from './parse.ts';
import { type Member, memberOf, membersOf } from './tree.ts';

/** A server in pasted JSON; `key` is empty where it has no name. */
export interface Candidate {
  readonly key: string;
  readonly node: JsonNode;
}

/**
 * The servers in a piece of JSON, whichever program it was written for: under `mcpServers`, `servers`,
 * `context_servers` or `mcp`, a bare map of servers, a list of named ones, or one server alone. `lenient` takes any
 * map of objects for servers, so that a mistyped one is reported rather than overlooked.
 */
export function candidatesIn(node: JsonNode, lenient: boolean): readonly Candidate[] {
  const held = membersOf(node).filter(isHolder);
  if (held.length > 0) return held.flatMap(({ value }) => inHolder(value));
  if (isServerLike(node)) return [single(node)];
  if (node.type === 'array') return (node.children ?? []).filter(isServerLike).map(single);
  const members = membersOf(node);
  const objects = members.every(({ value }) => value.type === 'object');
  if (!objects || !(lenient || members.some(({ value }) => isServerLike(value)))) return [];
  return members.map(named);
}

const holders: ReadonlySet<string> = new Set([
  'mcpServers',
  'servers',
  'context_servers',
  'mcp_servers',
  'mcp',
]);

/** A server may itself be called "servers"; then it looks like one. */
function isHolder({ key, value }: Member): boolean {
  return holders.has(key) && (value.type === 'object' || value.type === 'array') && !isServerLike(value);
}

function inHolder(node: JsonNode): readonly Candidate[] {
  const inner = membersOf(node).filter(isHolder);
  if (inner.length > 0) return inner.flatMap(({ value }) => inHolder(value));
  if (node.type === 'array') return (node.children ?? []).map(single);
  return membersOf(node).map(named);
}

const addresses = ['url', 'serverUrl', 'httpUrl', 'baseUrl'] as const;

function isServerLike(node: JsonNode): boolean {
  const type = (key: string) => memberOf(node, key)?.value.type;
  const command = type('command');
  return (
    command === 'string' ||
    command === 'array' ||
    memberOf(memberOf(node, 'command')?.value, 'path')?.value.type === 'string' ||
    addresses.some((key) => type(key) === 'string') ||
    type('transport') !== undefined ||
    (type('type') === 'string' && type('args') === 'array')
  );
}

function single(node: JsonNode): Candidate {
  const name = memberOf(node, 'name')?.value;
  return { key: name?.type === 'string' ? String(name.value) : '', node };
}

function named({ key, value }: Member): Candidate {
  return { key, node: value };
}
