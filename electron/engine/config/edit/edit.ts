import type { ServerEntry } from '../../../../shared/schema/server-entry.ts';
import { ownToolLists, withOwnToolLists } from '../entry/tool-lists.ts';
import { dedent, indentAt, layoutOf, redent } from '../jsonc/layout.ts';
import { mergeValue, nodeAt } from '../jsonc/merge-value.ts';
import type { JsonNode } from '../jsonc/parse.ts';
import { renderMember } from '../jsonc/render.ts';
import { insertMember, leadingOf, removeMember, replaceRange } from '../jsonc/text-edit.ts';
import { type Member, memberOf, membersOf, plainValue } from '../jsonc/tree.ts';
import { tailOf } from '../jsonc/trivia.ts';
import { isDisabled, isSwitch } from '../validate/validate.ts';

/*
 * Edits of `mcpServers` as functions from text to text. They expect a valid text and existing,
 * unique keys; comments, order, indentation and line ends of everything else stay exactly as they
 * are.
 */

export type Entry = Readonly<Record<string, unknown>>;

/** A server removed from a text, with its former position. */
export interface RemovedServer {
  readonly key: string;
  readonly source: string;
  readonly comments: string;
  readonly leading: string;
  readonly previousKey: string | undefined;
  readonly nextKey: string | undefined;
  /** The whole text before and after the removal: if nothing else has changed, undo is exact. */
  readonly before: string;
  readonly after: string;
}

export function addServer(body: string, key: string, entry: Entry): string {
  // Null and an empty list mean no servers, but nothing can be added to them.
  const isObject = nodeAt(body, ['mcpServers'])?.type === 'object';
  const complete = isObject ? body : mergeValue(body, ['mcpServers'], {});
  const servers = nodeAt(complete, ['mcpServers']);
  if (servers === undefined) return complete;
  return insertMember(complete, servers, servers.children?.at(-1), {
    write: (style) => renderMember(key, entry, style),
  });
}

/** Makes an entry equal to `entry` by changing only the differences. */
export function updateServer(body: string, key: string, entry: Entry): string {
  return mergeValue(body, ['mcpServers', key], entry);
}

export function renameServer(body: string, key: string, newKey: string): string {
  const member = serverMember(body, key);
  return member === undefined ? body : replaceRange(body, member.keyNode, JSON.stringify(newKey));
}

/** Inserts a copy of the entry's text, comments included, right after the original. */
export function duplicateServer(body: string, key: string, newKey: string): string {
  const member = serverMember(body, key);
  const servers = nodeAt(body, ['mcpServers']);
  if (member === undefined || servers === undefined) return body;
  const source = `${JSON.stringify(newKey)}${body.slice(endOf(member.keyNode), endOf(member.node))}`;
  return insertMember(body, servers, sameNode(servers, member), { write: () => source });
}

export function removeServer(body: string, key: string): RemovedServer | undefined {
  const servers = nodeAt(body, ['mcpServers']);
  const members = membersOf(servers);
  const index = members.findIndex((member) => member.key === key);
  const member = members[index];
  if (servers === undefined || member === undefined) return undefined;
  const previousKey = members[index - 1]?.key;
  const nextKey = members[index + 1]?.key;
  return {
    key,
    source: body.slice(member.node.offset, endOf(member.node)),
    comments: tailOf(body, member.node).comments,
    leading: leadingOf(body, servers, member.node),
    previousKey,
    nextKey,
    before: body,
    after: removeMember(body, servers, member.node),
  };
}

/** Restores the exact text: at its old position if a former neighbour still exists, otherwise at the end. */
export function restoreServer(body: string, removed: RemovedServer): string {
  if (body === removed.after) return removed.before;
  const { source, comments, leading } = removed;
  const complete = nodeAt(body, ['mcpServers']) === undefined ? mergeValue(body, ['mcpServers'], {}) : body;
  const servers = nodeAt(complete, ['mcpServers']);
  if (servers === undefined) return complete;
  const anchor = formerPosition(membersOf(servers), removed);
  return insertMember(complete, servers, anchor, { write: () => source, comments, leading });
}

function formerPosition(members: readonly Member[], removed: RemovedServer): JsonNode | undefined {
  const previous = members.find(({ key }) => key === removed.previousKey);
  if (previous !== undefined) return previous.node;
  const next = members.findIndex(({ key }) => key === removed.nextKey);
  return (next >= 0 ? members[next - 1] : members.at(-1))?.node;
}

export function setServerEnabled(body: string, key: string, enabled: boolean): string {
  const entry = entryOf(body, key);
  const node = nodeAt(body, ['mcpServers', key]);
  if (entry === undefined || (node !== undefined && isDisabled(node) !== enabled)) return body;
  if (!enabled) return updateServer(body, key, { ...entry, disabled: true });
  const on = Object.fromEntries(Object.entries(entry).filter(([name]) => !isSwitch(name)));
  const edited = updateServer(body, key, on);
  const now = nodeAt(edited, ['mcpServers', key]);
  // A switch may be inside another member, which may hold more.
  return now !== undefined && isDisabled(now) ? updateServer(body, key, { ...on, disabled: false }) : edited;
}

export function setServerCommand(body: string, key: string, command: string): string {
  return mergeValue(body, ['mcpServers', key, 'command'], command);
}

/**
 * Edits `patchbay.disabledTools`; an empty list is removed, and then an empty `patchbay`. If the entry lists
 * its `enabledTools`, that list is edited and stays.
 */
export function setServerToolsEnabled(
  body: string,
  key: string,
  names: readonly string[],
  enabled: boolean,
): string {
  const entry: Entry & Pick<ServerEntry, 'patchbay'> = withOwnToolLists(entryOf(body, key) ?? {});
  const { disabledTools: off, ...options } = entry.patchbay ?? {};
  const disabledTools = off ?? [];
  const changed = new Set(names);
  const others = disabledTools.filter((name) => !enabled || !changed.has(name));
  const { enabledTools } = options;
  const listed =
    enabledTools === undefined || enabledTools === null
      ? undefined
      : withToolsSwitched(enabledTools, names, enabled);
  const next = enabled || listed !== undefined ? others : [...new Set([...others, ...names])];
  if (next.length === disabledTools.length && listed?.length === enabledTools?.length) return body;
  const patchbay = {
    ...options,
    ...(listed === undefined ? {} : { enabledTools: listed }),
    ...(next.length === 0 ? {} : { disabledTools: next }),
  };
  const { patchbay: _, ...rest } = entry;
  return updateServer(body, key, Object.keys(patchbay).length === 0 ? rest : { ...rest, patchbay });
}

/** Sets one of our own options; undefined removes it, and then an empty `patchbay`. */
export function setServerOption(
  body: string,
  key: string,
  option: 'tags' | 'favorite',
  value: unknown,
): string {
  const { patchbay, ...rest }: Entry & Pick<ServerEntry, 'patchbay'> = entryOf(body, key) ?? {};
  const { [option]: _before, ...others } = patchbay ?? {};
  const options = value === undefined ? others : { ...patchbay, [option]: value };
  return updateServer(body, key, Object.keys(options).length === 0 ? rest : { ...rest, patchbay: options });
}

export function serverOptions(body: string, key: string): NonNullable<ServerEntry['patchbay']> {
  const { patchbay }: Entry & Pick<ServerEntry, 'patchbay'> = entryOf(body, key) ?? {};
  return patchbay ?? {};
}

/** Returns a predicate for the tools that are on in an entry. */
export function enabledToolsOf(body: string, key: string): (name: string) => boolean {
  const { disabledTools, enabledTools } = ownToolLists(entryOf(body, key) ?? {});
  const off = new Set(disabledTools ?? []);
  const listed = enabledTools === undefined ? undefined : new Set(enabledTools);
  return (name) => !off.has(name) && (listed?.has(name) ?? true);
}

function withToolsSwitched(
  listed: readonly string[],
  names: readonly string[],
  on: boolean,
): readonly string[] {
  if (on) return [...new Set([...listed, ...names])];
  return listed.filter((name) => !names.includes(name));
}

/** Returns the entry's text for an editor: without the indentation of the file, lines ended by `\n`. */
export function serverText(body: string, key: string): string {
  const member = serverMember(body, key);
  if (member === undefined) return '';
  return dedent(rawText(body, member), indentAt(body, member.node.offset));
}

/** Writes back a text edited from {@link serverText}; an unchanged one changes nothing. */
export function setServerText(body: string, key: string, text: string): string {
  const member = serverMember(body, key);
  const typed = text.replace(/\r\n|\r/g, '\n').trim();
  if (member === undefined || typed === serverText(body, key)) return body;
  const indent = indentAt(body, member.node.offset);
  const written = redent(typed, indent, rawText(body, member)).replaceAll('\n', layoutOf(body).eol);
  return replaceRange(body, member.value, written);
}

export function serverMember(body: string, key: string): Member | undefined {
  return memberOf(nodeAt(body, ['mcpServers']), key);
}

function entryOf(body: string, key: string): Entry | undefined {
  const member = serverMember(body, key);
  if (member?.value.type !== 'object') return undefined;
  const value = plainValue(member.value);
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

function rawText(body: string, member: Member): string {
  return body.slice(member.value.offset, endOf(member.value)).replace(/\r\n|\r/g, '\n');
}

function endOf(node: JsonNode): number {
  return node.offset + node.length;
}

/** Two parses return different node objects; an anchor must be a child of its container. */
function sameNode(container: JsonNode, member: Member): JsonNode | undefined {
  return container.children?.find((child) => child.offset === member.node.offset);
}
