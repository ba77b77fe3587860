import { isRecord } from '../../../../shared/json.ts';
import type { Entry } from './aliases.ts';

/** The lists of tools of an entry under any program's names, and the entry without them. */
export interface ToolLists {
  readonly rest: Entry;
  /** The only tools that may be called; undefined for all. */
  readonly enabledTools?: readonly string[];
  readonly disabledTools: readonly string[];
  /** True if no tool may be called. */
  readonly isNone: boolean;
  /** True if there is an empty list of allowed tools, and no other. */
  readonly isEmpty: boolean;
  /** Patterns of names, which count for nothing. */
  readonly patterns: readonly string[];
}

/** Reads lists of allowed and of blocked tools, filters, and switches for each tool. */
export function toolListsIn(entry: Entry): ToolLists {
  const allowed: string[][] = [];
  const denied: string[] = [];
  let isEmpty = false;
  let isNone = false;
  const patterns: string[] = [];
  const plainIn = (names: readonly string[]) => {
    const plain = names.filter((name) => name === '*' || !/[*?]/.test(name));
    patterns.push(...names.filter((name) => !plain.includes(name)));
    return plain;
  };
  const { default_tools_enabled: isOnUnlessNamed, ...rest }: Record<string, unknown> = entry;
  const allow = (value: unknown) => {
    const names = namesIn(value);
    if (names?.length === 0) isEmpty = true;
    // A list without the tools that a pattern matches would turn them off.
    else if (names !== undefined && plainIn(names).length === names.length) allowed.push(names);
    return names !== undefined;
  };
  const deny = (value: unknown) => {
    const names = namesIn(value);
    denied.push(...plainIn(names ?? []));
    return names !== undefined;
  };
  const none = () => {
    isNone = true;
    return true;
  };
  const lists: ListHandlers = { allow, deny, none };
  if (isOnUnlessNamed === false) rest.tools = { '*': false, ...(isRecord(rest.tools) ? rest.tools : {}) };
  for (const [name, value] of Object.entries(rest)) {
    const kind = toolListOf(name);
    const filter = switchesIn(value) ?? value;
    const isList = filter === value && kind !== undefined && (kind === 'allow' ? allow : deny)(value);
    const isFilter = isRecord(filter) && (kind !== undefined || filterMembers.has(name));
    if (isList || (isFilter && readFilter(filter, lists))) delete rest[name];
  }
  const listed = allowed.filter((names) => !names.includes('*'));
  const [first, ...others] = listed;
  const enabledTools = first?.filter((name) => others.every((list) => list.includes(name)));
  return {
    rest,
    ...(enabledTools === undefined ? {} : { enabledTools: [...new Set(enabledTools)] }),
    disabledTools: [...new Set(denied)],
    isNone,
    isEmpty: isEmpty && allowed.length === 0,
    patterns,
  };
}

/**
 * Returns the lists of an entry of ours, and the members that were read as such: what is under `patchbay` takes
 * precedence.
 */
export function ownToolLists(entry: Entry): {
  readonly enabledTools?: readonly string[];
  readonly disabledTools?: readonly string[];
  readonly read: readonly string[];
  readonly patterns: readonly string[];
} {
  const { patchbay, ...others } = entry;
  const { rest, isNone, patterns, ...lists } = toolListsIn(others);
  const own = isRecord(patchbay) ? patchbay : {};
  const hasLists =
    isNone || lists.enabledTools !== undefined || lists.disabledTools.length + patterns.length > 0;
  const enabledTools = textsIn(own.enabledTools) ?? (isNone ? [] : lists.enabledTools);
  const disabledTools = textsIn(own.disabledTools) ?? lists.disabledTools;
  return {
    ...(enabledTools === undefined ? {} : { enabledTools }),
    ...(disabledTools.length === 0 ? {} : { disabledTools }),
    read: hasLists ? Object.keys(others).filter((name) => !(name in rest)) : [],
    patterns,
  };
}

/** Moves the lists of an entry under `patchbay`, where they can be edited. */
export function withOwnToolLists(entry: Entry): Entry {
  const { read, enabledTools, disabledTools } = ownToolLists(entry);
  if (read.length === 0) return entry;
  const others = Object.fromEntries(Object.entries(entry).filter(([name]) => !read.includes(name)));
  const lists = {
    ...(enabledTools === undefined ? {} : { enabledTools }),
    ...(disabledTools === undefined ? {} : { disabledTools }),
  };
  return { ...others, patchbay: { ...(isRecord(entry.patchbay) ? entry.patchbay : {}), ...lists } };
}

function textsIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined;
}

/**
 * Tells whether a member lists tools: the only ones that may be called (`*` means all), or those that may
 * not. Lists of tools that need no approval (`alwaysAllow`) do not count.
 */
export function toolListOf(name: string): 'allow' | 'deny' | undefined {
  const plain = plainName(name);
  if (allowList.test(plain)) return 'allow';
  return denyList.test(plain) ? 'deny' : undefined;
}

const allowList =
  /^(?:(?:enabled?|includ(?:ed?)|available|allow(?:ed)?|selected|permitted|whitelist(?:ed)?|active|exposed?|only)tools?(?:names|list)?|tools?(?:allow|white|include)(?:d|list)?|(?:allow|white)list|allowed|include|only|tool(?:filter|names|s))$/;
const denyList =
  /^(?:(?:disabled?|exclud(?:ed?)|block(?:ed)?|disallow(?:ed)?|den(?:y|ied)|suppress(?:ed)?|forbidden|hidden|hide|ignored?|blacklist(?:ed)?)tools?(?:names|list)?|tools?(?:deny|block|black|exclude)(?:d|list)?|(?:deny|block|black)list|exclude|deny|denied|blocked)$/;

/** A name without what only separates its words. */
export function plainName(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase();
}

/** Members that hold lists, or a switch for each tool. */
const filterMembers: ReadonlySet<string> = new Set([
  'tool_filters',
  'toolFilters',
  'toolConfiguration',
  'tool_configuration',
  'toolPermissions',
  'filter',
  'filters',
]);

/** Reads `[{ name, enabled }]` as a switch for each tool. */
function switchesIn(value: unknown): Entry | undefined {
  const items = Array.isArray(value) ? value.filter(isRecord) : [];
  if (!items.some((item) => typeof switchOf(item) === 'boolean')) return undefined;
  return Object.fromEntries(
    items.flatMap((item) => (typeof item.name === 'string' ? [[item.name, switchOf(item) ?? true]] : [])),
  );
}

/** Take a list, if it is one. */
interface ListHandlers {
  readonly allow: (value: unknown) => boolean;
  readonly deny: (value: unknown) => boolean;
  /** No tool may be called. */
  readonly none: () => boolean;
}

/** Reads `{ mode, list }`, `{ include, exclude }`, `{ allow, deny }`, or a boolean for each tool. */
function readFilter(filter: Entry, { allow, deny, none }: ListHandlers): boolean {
  const mode = typeof filter.mode === 'string' ? filter.mode.toLowerCase() : undefined;
  const list = filter.list ?? filter.tools ?? filter.names;
  if (mode !== undefined && list !== undefined) {
    return /^(?:allow|include|white|only)/.test(mode)
      ? allow(list)
      : /^(?:deny|block|exclude|black)/.test(mode) && deny(list);
  }
  const read = [
    ...[
      'include',
      'allow',
      'allowed',
      'enabled',
      'allowed_tools',
      'allowed_tool_names',
      'whitelist',
      'tools',
    ].map((name) => filter[name] !== undefined && allow(filter[name])),
    ...[
      'exclude',
      'deny',
      'denied',
      'rejected',
      'block',
      'blocked',
      'disabled',
      'blocked_tool_names',
      'blacklist',
    ].map((name) => filter[name] !== undefined && deny(filter[name])),
  ];
  if (read.includes(true)) return true;
  // A tool may have other settings only.
  const switches = Object.entries(filter)
    .map(([name, on]) => [name, switchOf(on)] as const)
    .filter(([name, on]) => on !== undefined || !isRecord(filter[name]));
  if (switches.length === 0 || !switches.every(([, on]) => typeof on === 'boolean')) return false;
  const off = switches.filter(([, on]) => on === false).map(([name]) => name);
  if (switches.some(([name, on]) => name === '*' && on === false)) {
    const on = switches.filter(([name, isOn]) => isOn === true && name !== '*').map(([name]) => name);
    return on.length === 0 ? none() : allow(on);
  }
  return deny(off);
}

/** Reads `true`, or `{ enabled: true }`. */
function switchOf(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (typeof value.disabled === 'boolean') return !value.disabled;
  return value.enabled;
}

/**
 * Returns the names in a list or a comma-separated text, also from `name(argument)` and `{ name }`. Undefined
 * for anything else.
 */
function namesIn(value: unknown): string[] | undefined {
  if (typeof value === 'string') return /^all$/i.test(value.trim()) ? ['*'] : namesIn(value.split(','));
  if (isRecord(value)) return namesIn(value.tool_names ?? value.allowed_tool_names);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown) => {
    const name = isRecord(item) ? item.name : item;
    const plain = typeof name === 'string' ? name.replace(/\(.*$/s, '').trim() : '';
    return plain === '' ? [] : [plain];
  });
}
