import { isRecord } from '../../../../../shared/json.ts';
import { plainName } from '../../../config/entry/tool-lists.ts';

export type Entry = Readonly<Record<string, unknown>>;

/** Returns an empty entry for anything but an object. */
export function asRecord(value: unknown): Entry {
  return isRecord(value) ? value : {};
}

/** A program whose entries have a form of their own. */
export interface Dialect {
  readonly title: string;
  /** Ids of the program in the table of clients. */
  readonly clients: readonly string[];
  /**
   * Detects the program a pasted entry was written for, by members that only it uses, or by the member that
   * holds its servers.
   */
  readonly matches: (entry: Entry, holder: string) => boolean;
  /** Unit of `timeout`. */
  readonly unit: 'ms' | 's';
  /** True if the unit is uncertain, since its forks use another one. */
  readonly isUnitUncertain?: boolean;
  /** True if `$NAME` is a reference. */
  readonly dollar?: true;
  /** True if an empty list means all tools. */
  readonly emptyIsAll?: true;
}

const hasAny =
  (...names: readonly string[]) =>
  (entry: Entry) =>
    names.some((name) => entry[name] !== undefined);

/** The first row whose marks match is used. A new program is a new row. */
export const dialects: readonly Dialect[] = [
  {
    title: 'goose',
    clients: ['goose'],
    matches: (entry, holder) =>
      holder === 'extensions' || hasAny('cmd', 'envs', 'env_keys', 'available_tools')(entry),
    unit: 's',
    emptyIsAll: true,
  },
  {
    title: 'Codex',
    clients: ['codex'],
    matches: hasAny(
      'tool_timeout_sec',
      'startup_timeout_sec',
      'bearer_token_env_var',
      'env_http_headers',
      'http_headers',
    ),
    unit: 's',
  },
  { title: 'Roo Code', clients: ['roo', 'kilo'], matches: hasAny('alwaysAllow', 'watchPaths'), unit: 's' },
  {
    title: 'Gemini CLI',
    clients: ['gemini-cli', 'qwen-code'],
    matches: hasAny('httpUrl', 'includeTools', 'excludeTools', 'trust'),
    unit: 'ms',
    dollar: true,
  },
  {
    title: 'Cherry Studio',
    clients: ['cherry-studio'],
    matches: hasAny('isActive', 'baseUrl', 'registryUrl', 'disabledAutoApproveTools'),
    unit: 's',
  },
  {
    title: 'opencode',
    clients: ['opencode'],
    matches: (entry) => entry.type === 'local' || entry.type === 'remote' || Array.isArray(entry.command),
    unit: 'ms',
  },
  { title: 'Crush', clients: ['crush'], matches: (_, holder) => holder === 'mcp', unit: 's' },
  {
    title: 'Hermes Agent',
    clients: ['hermes'],
    matches: (entry) =>
      hasAny('connect_timeout')(entry) ||
      (isRecord(entry.tools) && hasAny('include', 'exclude')(entry.tools)),
    unit: 's',
  },
  { title: 'Zed', clients: ['zed'], matches: (_, holder) => holder === 'context_servers', unit: 's' },
  {
    title: 'Cline',
    clients: ['cline'],
    matches: hasAny('autoApprove', 'transportType'),
    unit: 's',
    isUnitUncertain: true,
  },
  {
    title: 'Cursor',
    clients: ['cursor', 'claude-code', 'claude-desktop', 'copilot-cli', 'kiro', 'amazon-q', 'amp', 'warp'],
    matches: () => false,
    unit: 'ms',
  },
];

/** Returns the dialect of a client, or the one that an entry looks like. */
export function dialectOf(entry: Entry, holder: string, client: string | undefined): Dialect | undefined {
  if (client !== undefined) {
    const known = dialects.find(({ clients }) => clients.includes(client));
    return known === undefined ? undefined : { ...known, isUnitUncertain: false };
  }
  return dialects.find(({ matches: marks }) => marks(entry, holder));
}

/** Unit of a member that limits calls, in milliseconds. */
export interface TimeoutUnit {
  readonly unit: number;
  /** True if the name says it. */
  readonly isNamed: boolean;
}

/** Returns the unit of a timeout for calls under any other name than `timeout`; undefined for other members. */
export function timeoutUnitOf(name: string): TimeoutUnit | undefined {
  const [, kind = '', suffix = ''] = timeoutName.exec(plainName(name)) ?? [];
  if (kind === '' && suffix === '') return undefined;
  if (suffix !== '') return { unit: suffix.startsWith('m') ? 1 : 1000, isNamed: true };
  return { unit: kind.startsWith('tool') ? 1000 : 1, isNamed: false };
}

const timeoutName =
  /^(tool|call|toolcall|request|read|execution|clientsession|)timeout(?:in)?(ms|millis|milliseconds|secs?|seconds|)$/;

/** Unused members: they limit the start, or describe the entry to its own program. */
export const ignoredMembers: readonly string[] = [
  'startup_timeout_sec',
  'startup_timeout_ms',
  'startup_timeout',
  'startupTimeout',
  'initTimeout',
  'initial_timeout',
  'initialTimeout',
  'connect_timeout',
  'connectionTimeout',
];

/** Spellings of `type`, in lower case without dashes. */
export const typeSpellings: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  local: 'stdio',
  command: 'stdio',
  sse: 'sse',
  http: 'http',
  streamablehttp: 'http',
  streamable: 'http',
  httpstream: 'http',
  remote: 'http',
  remotestreamable: 'http',
  remotesse: 'sse',
  url: 'http',
};

/** Types of servers that are built into their own program, in lower case. */
export const builtInTypes: ReadonlySet<string> = new Set([
  'builtin',
  'platform',
  'inmemory',
  'frontend',
  'inline_python',
  'sdk',
]);
