import { isRecord } from '../../../../../shared/json.ts';
import { allowLists, denyLists, type Entry } from './dialects.ts';
import { type Step, warning } from './entry-step.ts';

/** Converts lists of tools to our options: the only allowed tools, and the blocked ones. */
export const readToolLists: Step = (entry, dialect) => {
  const allowed: string[][] = [];
  const denied: string[] = [];
  let isEmpty = false;
  const patterns: string[] = [];
  const plainIn = (names: readonly string[]) => {
    const plain = names.filter((name) => name === '*' || !/[*?]/.test(name));
    patterns.push(...names.filter((name) => !plain.includes(name)));
    return plain;
  };
  const rest: Record<string, unknown> = { ...entry };
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
  for (const name of allowLists) if (rest[name] !== undefined && allow(rest[name])) delete rest[name];
  for (const name of denyLists) if (rest[name] !== undefined && deny(rest[name])) delete rest[name];
  for (const name of filterMembers) {
    const filter = rest[name];
    if (isRecord(filter) && readFilter(filter, allow, deny)) delete rest[name];
  }
  const read = { ...rest, ...ownOptions(entry.patchbay, allowed, denied) };
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
const filterMembers = [
  'toolFilter',
  'tool_filter',
  'tool_filters',
  'tools',
  'toolConfiguration',
  'tool_configuration',
  'toolPermissions',
];

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

/** Reads `{ mode, list }`, `{ include, exclude }`, `{ allow, deny }`, or a boolean for each tool. */
function readFilter(
  filter: Entry,
  allow: (value: unknown) => boolean,
  deny: (value: unknown) => boolean,
): boolean {
  const mode = typeof filter.mode === 'string' ? filter.mode.toLowerCase() : undefined;
  const list = filter.list ?? filter.tools ?? filter.names;
  if (mode !== undefined && list !== undefined) {
    return /^(?:allow|include|white|only)/.test(mode)
      ? allow(list)
      : /^(?:deny|block|exclude|black)/.test(mode) && deny(list);
  }
  const read = [
    ...['include', 'allow', 'allowed', 'enabled', 'allowed_tools', 'allowed_tool_names', 'whitelist'].map(
      (name) => filter[name] !== undefined && allow(filter[name]),
    ),
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
  const switches = Object.entries(filter).map(([name, on]) => [name, switchOf(on)] as const);
  if (switches.length === 0 || !switches.every(([, on]) => typeof on === 'boolean')) return false;
  const off = switches.filter(([, on]) => on === false).map(([name]) => name);
  if (switches.some(([name, on]) => name === '*' && on === false)) {
    return allow(switches.filter(([name, on]) => on === true && name !== '*').map(([name]) => name));
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
