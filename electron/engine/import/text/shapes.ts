import type { JsonNode } from '../../config/parse.ts';
import { type Member, memberOf, membersOf } from '../../config/tree.ts';
import { readSiblingMembers } from './beside.ts';
import type { Entry } from './dialects.ts';
import { isOff, isServerLike, isServerMap, isTarget } from './server-like.ts';

/** A server in a piece of JSON; `key` is empty if it has no name. */
export interface Candidate {
  readonly key: string;
  readonly node: JsonNode;
  /** Name of the member that holds the servers, which may identify their program. */
  readonly holder: string;
  /** Members elsewhere that are about it. */
  readonly siblingMembers?: Entry;
}

/**
 * Finds the servers in a piece of JSON, whichever program it was written for: under a known member at any
 * depth, a bare map of servers, a list of named ones, or a single server. `lenient` takes any map of objects
 * for servers, so that a mistyped one is reported rather than overlooked.
 */
export function candidatesIn(node: JsonNode, lenient: boolean): readonly Candidate[] {
  const wrapped = isTarget(node) ? undefined : wrappedServer(node);
  if (wrapped !== undefined) return [{ key: nameIn(node), node: wrapped, holder: '' }];
  if (isOneServer(node)) return [single(node, '')];
  const nested = serversIn(node, 0);
  if (nested.length > 0 || membersOf(node).some((member) => isHolder(member, 0))) return nested;
  if (node.type === 'array') {
    const found = (node.children ?? []).flatMap((child) =>
      isOneServer(child) || isServerLike(onlyMember(child)?.value ?? child)
        ? [listed(child, '')]
        : serversIn(child, 0),
    );
    return found.length > 0 ? found : serversInUnknownForm(node);
  }
  const members = membersOf(node).filter(({ value }) => value.type !== 'null');
  const assigned = members.filter(
    ({ key, value }) => ((lenient && members.length === 1) || assignments.test(key)) && isServerMap(value),
  );
  if (assigned.length > 0)
    return assigned.flatMap(({ value }) => membersOf(value).map((one) => named(one, '')));
  const objects = members.every(({ key, value }) => value.type === 'object' && !settings.has(key));
  const isMap = objects && members.some(({ value }) => isServerLike(value));
  const byName = isMap ? [] : serversInUnknownForm(node);
  if (byName.length > 0 || !(isMap || (objects && lenient))) return byName;
  return members.map((member) => named(member, ''));
}

/** Variables of a program that hold a map of servers. */
const assignments = /mcp|server|config|client|connection/i;
/** Members of Claude Code's settings that hold commands but no servers. */
const settings: ReadonlySet<string> = new Set(['statusLine', 'hooks', 'permissions']);

/** Returns the single server of a description with a name. */
function wrappedServer(node: JsonNode): JsonNode | undefined {
  if (nameIn(node) === '') return undefined;
  return membersOf(node).find(({ key, value }) => wrappers.has(key) && isServerLike(value))?.value;
}

/** Members that hold a single server, with its name beside them. */
const wrappers: ReadonlySet<string> = new Set([
  'config',
  'launch',
  'server',
  'mcp',
  'definition',
  'mcpServer',
]);

/** Members that hold servers, in lower case, without dashes and prefixes before a dot (`amp.mcpServers`). */
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
/** Common names: their values must look like servers. */
const commonNames: ReadonlySet<string> = new Set(['extensions', 'tools', 'targets']);
/** Maximum depth of the search, as deep as editors and containers nest servers. */
const maxDepth = 5;

function serversIn(node: JsonNode, depth: number): readonly Candidate[] {
  if (node.type === 'array') return (node.children ?? []).flatMap((one) => serversIn(one, depth));
  const members = membersOf(node);
  const held = members
    .filter((member) => isHolder(member, depth))
    .flatMap(serversInHolder)
    .concat(
      members.flatMap(dotted),
      members.flatMap((member) => ofProjects(member, depth)),
      members.flatMap(singleServerMember),
    )
    .map(withSiblingMembers(node))
    .map((one) => (depth > 0 && isOff(node) ? turnedOff(one) : one));
  if (depth >= maxDepth) return held;
  const deeper = members
    .filter((member) => member.key !== 'projects' && !isHolder(member, depth) && !isOneServer(member.value))
    .flatMap(({ value }) => serversIn(value, depth + 1));
  return held.length === 0
    ? deeper
    : [...held, ...deeper.filter(({ holder }) => plain(holder) === 'mcpservers')];
}

/** Adds the members about a candidate from beside its holder. */
export function withSiblingMembers(node: JsonNode): (candidate: Candidate) => Candidate {
  const said = readSiblingMembers(node);
  return (candidate) => {
    const beside = { ...candidate.siblingMembers, ...said(candidate.key) };
    return Object.keys(beside).length === 0 ? candidate : { ...candidate, siblingMembers: beside };
  };
}

/** Turns off a candidate whose whole block is off. */
function turnedOff(candidate: Candidate): Candidate {
  return { ...candidate, siblingMembers: { ...candidate.siblingMembers, disabled: true } };
}

/** Reads a member for a single server, whatever is beside it. */
function singleServerMember({ key, value }: Member): readonly Candidate[] {
  return plain(key) === 'modelcontextprotocolserver' && isServerLike(value) ? [single(value, '')] : [];
}

/** Recognizes a single server, not a settings file with an address or a command of its own. */
function isOneServer(node: JsonNode): boolean {
  return isServerLike(node) && !membersOf(node).some((member) => isHolder(member, 1));
}

/** Finds servers in a file of an unknown form, wherever a member's name or type says MCP. */
function serversInUnknownForm(node: JsonNode, isSaid = false, name = '', depth = 0): readonly Candidate[] {
  const members = membersOf(node);
  const isTyped = members.some(({ key, value }) => kinds.test(key) && ofMcp.test(String(value.value)));
  // A server without a name gets that of an outer member.
  const own = (ofMcp.test(nameIn(node)) ? '' : nameIn(node)) || (/mcp|server/i.test(name) ? '' : name);
  if ((isSaid || isTyped) && isOneServer(node)) return [{ key: own || name, node, holder: '' }];
  if (depth > maxSearchDepth) return [];
  if (node.type === 'array') {
    return (node.children ?? []).flatMap((one) => serversInUnknownForm(one, isSaid, '', depth + 1));
  }
  const isMap = isServerMap(node);
  return members
    .filter(({ key }) => !unrelatedMembers.test(key))
    .flatMap(({ key, value }) =>
      serversInUnknownForm(
        value,
        isSaid || isTyped || /mcp/i.test(key),
        isMap && !(own !== '' && /^mcp$/i.test(key)) ? key : own,
        depth + 1,
      ),
    );
}

const kinds = /^(?:type|kind|class|name)$/;
const ofMcp = /^mcp$|mcp.{0,20}(?:server|client|tool)/i;

const maxSearchDepth = 20;
/** Members with addresses of pages and keys, and rules about servers. */
const unrelatedMembers =
  /^(?:author|source|repository|homepage|bugs|links?|icons?|funding|publisher|documentation|support|licen[cs]e|schema|jwks|openapi|(?:[a-z]{1,20}\.)?mcp_?permissions|(?:allowed|denied|approved|blocked)_?mcp_?servers)$/i;

/** Claude Code stores servers of projects beside those of the user. */
function ofProjects({ key, value }: Member, depth: number): readonly Candidate[] {
  return key === 'projects' ? membersOf(value).flatMap((project) => serversIn(project.value, depth + 1)) : [];
}

/** Reads `servers.name = {…}`, a path in one name. */
function dotted({ key, value }: Member): readonly Candidate[] {
  const [name = '', holder = ''] = key.split('.').slice(-2).reverse();
  const isHeld = holders.has(holder.toLowerCase().replace(/[-_]/g, '')) && !holders.has(name.toLowerCase());
  return isHeld && isServerLike(value) ? [{ key: name, node: value, holder }] : [];
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, '');
}

/** A server may itself be named "servers"; then it looks like a server. */
function isHolder({ key, value }: Member, depth: number): boolean {
  const path = plain(key).split('.');
  const name = path.at(-1) ?? '';
  const isKnown = holders.has(name);
  if (!isKnown && !commonNames.has(name)) return false;
  // Other things have servers too: `sonarlint.connectedMode.servers`.
  if (path.length > 1 && !/mcp|context/.test(path.join('.'))) return false;
  if (value.type !== 'object' && value.type !== 'array') return false;
  if (name === 'mcpservers' ? isTarget(value) : isOneServer(value)) return false;
  if (isKnown && (depth === 0 || name === 'mcpservers')) return true;
  const inner = value.type === 'array' ? (value.children ?? []) : membersOf(value).map((one) => one.value);
  return inner.some((one) => isServerLike(one) || (value.type === 'array' && isAddress(one)));
}

function serversInHolder(holder: Member): readonly Candidate[] {
  const { key, value } = holder;
  const inner = membersOf(value).filter((member) => isHolder(member, 1));
  if (inner.length > 0) {
    const held = inner.flatMap(serversInHolder);
    return isOff(value) ? held.map(turnedOff) : held;
  }
  if (value.type === 'array') {
    return (value.children ?? [])
      .filter((one) => !commonNames.has(key) || isServerLike(one))
      .map((one) => listed(one, key));
  }
  const own = membersOf(value).flatMap(dotted);
  if (own.length > 0) return own;
  return membersOf(value)
    .filter(({ value: one }) => one.type !== 'null' && !(plain(key) === 'mcp' && isSetting(one)))
    .map((member) => named(member, key));
}

/** Recognizes settings: `mcp: { allowed: […], enabled: true }`. */
function isSetting({ type }: JsonNode): boolean {
  return type !== 'object' && type !== 'string';
}

function isAddress({ type, value }: JsonNode): boolean {
  return type === 'string' && /^https?:\/\//i.test(String(value));
}

function single(node: JsonNode, holder: string): Candidate {
  return { key: nameIn(node), node, holder };
}

/** Reads an item of a list: a server with its name, or a map of one server. */
function listed(node: JsonNode, holder: string): Candidate {
  const only = onlyMember(node);
  if (only?.value.type !== 'object' || isServerLike(node)) {
    const one = single(node, holder);
    const label = memberOf(node, 'label')?.value;
    return one.key === '' && label?.type === 'string' ? { ...one, key: String(label.value) } : one;
  }
  return wrappers.has(only.key) ? single(only.value, holder) : named(only, holder);
}

function onlyMember(node: JsonNode): Member | undefined {
  const members = membersOf(node);
  return members.length === 1 ? members[0] : undefined;
}

function nameIn(node: JsonNode): string {
  const name = ['name', 'server_label', 'serverName', 'id', 'displayName', 'identifier']
    .map((member) => memberOf(node, member)?.value)
    .concat(['id', 'name'].map((member) => memberOf(memberOf(node, 'info')?.value, member)?.value))
    .find((value) => value?.type === 'string' && value.value !== '');
  return name === undefined ? '' : String(name.value);
}

function named({ key, value }: Member, holder: string): Candidate {
  return { key, node: value, holder };
}
