import { isRecord } from '../../../../../shared/json.ts';
import { type Entry, toolListOf } from './dialects.ts';
import { type Step, warning } from './entry-step.ts';

/** Converts lists of tools to our options: the only allowed tools, and the blocked ones. */
export const readToolLists: Step = (entry, dialect) => {
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
  const off = isNone ? { disabled: true } : {};
  const read = { ...rest, ...off, ...ownOptions(entry.patchbay, allowed, denied) };
  // Templates contain such a list to be filled in, and some programs write it for all tools.
  const message = 'an empty list of allowed tools was read as all tools';
  return {
    entry: read,
    notes: [
      ...(isEmpty && allowed.length === 0 && !dialect?.emptyIsAll ? [warning('tools', message)] : []),
      ...(patterns.length === 0 ? [] : [warning('tools', patternsWarning(patterns))]),
    ],
  };
};

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

function patternsWarning(patterns: readonly string[]): string {
  return `patterns of tools (${patterns.slice(0, 5).join(', ')}) are not supported and were ignored; turn tools on or off by name`;
}

function ownOptions(patchbay: unknown, allowed: readonly string[][], denied: readonly string[]): Entry {
  const lists = allowed.filter((names) => !names.includes('*'));
  const [first, ...others] = lists;
  const enabledTools = first?.filter((name) => others.every((list) => list.includes(name)));
  if (enabledTools === undefined && denied.length === 0) return {};
  const own = isRecord(patchbay) ? patchbay : {};
  return {
    patchbay: {
      ...own,
      ...(enabledTools === undefined ? {} : { enabledTools: [...new Set(enabledTools)] }),
      ...(denied.length === 0 ? {} : { disabledTools: [...new Set(denied)] }),
    },
  };
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
  if (typeof value === 'string') return namesIn(value.split(','));
  if (isRecord(value)) return namesIn(value.tool_names ?? value.allowed_tool_names);
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((item: unknown) => {
    const name = isRecord(item) ? item.name : item;
    const plain = typeof name === 'string' ? name.replace(/\(.*$/s, '').trim() : '';
    return plain === '' ? [] : [plain];
  });
}
