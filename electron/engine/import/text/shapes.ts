import type { JsonNode } from '../../config/parse.ts';
import { type Member, memberOf, membersOf } from '../../config/tree.ts';

/** A server in a piece of JSON; `key` is empty where it has no name. */
export interface Candidate {
  readonly key: string;
  readonly node: JsonNode;
  /** Name of the member that holds the servers, which may tell the program they were written for. */
  readonly holder: string;
}

/**
 * The servers in a piece of JSON, whichever program it was written for: under one of the known members at any depth, a
 * bare map of servers, a list of named ones, or one server alone. `lenient` takes any map of objects for servers, so
 * that a mistyped one is reported rather than overlooked.
 */
export function candidatesIn(node: JsonNode, lenient: boolean): readonly Candidate[] {
  const isFile = membersOf(node).some((member) => plainName(member) === 'mcpservers' && isHolder(member, 0));
  if (!isFile && isServerLike(node)) return [single(node, '')];
  const held = heldIn(node, 0);
  if (held.length > 0 || membersOf(node).some((member) => isHolder(member, 0))) return held;
  if (node.type === 'array') {
    return (node.children ?? []).flatMap((child) =>
      isServerLike(child) || isServerLike(onlyIn(child)?.value ?? child)
        ? [listed(child, '')]
        : heldIn(child, 0),
    );
  }
  const members = membersOf(node).filter(({ value }) => value.type !== 'null');
  const wrapped = members.find(({ key, value }) => wrappers.has(key) && isServerLike(value));
  if (wrapped !== undefined && nameIn(node) !== '')
    return [{ key: nameIn(node), node: wrapped.value, holder: '' }];
  const objects = members.every(({ value }) => value.type === 'object');
  if (!objects || !(lenient || members.some(({ value }) => isServerLike(value)))) return [];
  return members.map((member) => named(member, ''));
}

/** Members that hold the one server whose name stands beside them. */
const wrappers: ReadonlySet<string> = new Set([
  'config',
  'launch',
  'server',
  'mcp',
  'definition',
  'mcpServer',
]);

/** Members that servers stand under, without regard to case, dashes and what stands before a dot (`amp.mcpServers`). */
const holders: ReadonlySet<string> = new Set([
  'mcpservers',
  'servers',
  'contextservers',
  'mcp',
  'modelcontextprotocolservers',
  'stdioservers',
  'sseservers',
  'shttpservers',
]);
/** Names that stand for much else: what they hold has to look like servers. */
const common: ReadonlySet<string> = new Set(['extensions', 'tools']);
/** Depth of nested members that are searched, as deep as editors and containers nest servers. */
const deepest = 5;

function heldIn(node: JsonNode, depth: number): readonly Candidate[] {
  const members = membersOf(node);
  const held = members
    .filter((member) => isHolder(member, depth))
    .flatMap(inHolder)
    .concat(
      members.flatMap(dotted),
      members.flatMap((member) => ofProjects(member, depth)),
    );
  if (held.length > 0 || depth >= deepest) return held;
  return members.flatMap(({ value }) => (isServerLike(value) ? [] : heldIn(value, depth + 1)));
}

/** Claude Code keeps servers of projects beside those of the person. */
function ofProjects({ key, value }: Member, depth: number): readonly Candidate[] {
  return key === 'projects' ? membersOf(value).flatMap((project) => heldIn(project.value, depth + 1)) : [];
}

/** `servers.name = {…}`, where a language writes a path in one. */
function dotted({ key, value }: Member): readonly Candidate[] {
  const [name = '', holder = ''] = key.split('.').slice(-2).reverse();
  const isHeld = holders.has(holder.toLowerCase().replace(/[-_]/g, '')) && !holders.has(name.toLowerCase());
  return isHeld && isServerLike(value) ? [{ key: name, node: value, holder }] : [];
}

function plainName({ key }: Pick<Member, 'key'>): string {
  return (key.split('.').at(-1) ?? '').toLowerCase().replace(/[-_]/g, '');
}

/** A server may itself be called "servers"; then it looks like one. */
function isHolder({ key, value }: Member, depth: number): boolean {
  const name = plainName({ key });
  const isKnown = holders.has(name);
  if (!isKnown && !common.has(name)) return false;
  if ((value.type !== 'object' && value.type !== 'array') || isServerLike(value)) return false;
  if (isKnown && (depth === 0 || name === 'mcpservers')) return true;
  const inner = value.type === 'array' ? (value.children ?? []) : membersOf(value).map((one) => one.value);
  return inner.some((one) => isServerLike(one) || (value.type === 'array' && isAddress(one)));
}

function inHolder(holder: Member): readonly Candidate[] {
  const { key, value } = holder;
  const inner = membersOf(value).filter((member) => isHolder(member, 1));
  if (inner.length > 0) return inner.flatMap(inHolder);
  if (value.type === 'array') {
    return (value.children ?? [])
      .filter((one) => !common.has(key) || isServerLike(one))
      .map((one) => listed(one, key));
  }
  const own = membersOf(value).flatMap(dotted);
  if (own.length > 0) return own;
  return membersOf(value)
    .filter((member) => member.value.type !== 'null')
    .map((member) => named(member, key));
}

function isAddress({ type, value }: JsonNode): boolean {
  return type === 'string' && /^https?:\/\//i.test(String(value));
}

const texts: ReadonlySet<string> = new Set([
  'url',
  'serverUrl',
  'server_url',
  'httpUrl',
  'baseUrl',
  'endpoint',
  'uri',
  'cmd',
  'sseUrl',
]);

export function isServerLike(node: JsonNode): boolean {
  if (node.type !== 'object') return false;
  const type = (key: string) => memberOf(node, key)?.value.type;
  const command = type('command');
  const isText = membersOf(node).some(({ key, value }) => texts.has(key) && value.type === 'string');
  return (
    command === 'string' ||
    command === 'array' ||
    ['path', 'command'].some(
      (name) => memberOf(memberOf(node, 'command')?.value, name)?.value.type === 'string',
    ) ||
    isText ||
    (type('transport') !== undefined && type('transport') !== 'null') ||
    (type('type') === 'string' && type('args') === 'array')
  );
}

function single(node: JsonNode, holder: string): Candidate {
  return { key: nameIn(node), node, holder };
}

/** A list holds servers with their names, or maps of one server each. */
function listed(node: JsonNode, holder: string): Candidate {
  const only = onlyIn(node);
  if (only?.value.type !== 'object' || isServerLike(node)) return single(node, holder);
  return wrappers.has(only.key) ? single(only.value, holder) : named(only, holder);
}

function onlyIn(node: JsonNode): Member | undefined {
  const members = membersOf(node);
  return members.length === 1 ? members[0] : undefined;
}

function nameIn(node: JsonNode): string {
  const name = ['name', 'server_label', 'serverName', 'id', 'displayName']
    .map((member) => memberOf(node, member)?.value)
    .find((value) => value?.type === 'string' && value.value !== '');
  return name === undefined ? '' : String(name.value);
}

function named({ key, value }: Member, holder: string): Candidate {
  return { key, node: value, holder };
}
