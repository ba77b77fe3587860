import { parseNameValuePairs } from '../../../../shared/name-value-pairs.ts';
import { splitLauncherCommand } from '../../../../shared/split-command.ts';
import type { Path } from '../jsonc/tree.ts';
import { parseDuration } from './duration.ts';

type Entry = Readonly<Record<string, unknown>>;

interface Remark {
  readonly path: Path;
  readonly message: string;
}

/**
 * Normalizes an entry whose fields have another form than ours, with a remark for each change that could surprise.
 *
 * | field                                     | is read as                                                        |
 * | ----------------------------------------- | ----------------------------------------------------------------- |
 * | spaces or quotes around a single text     | the text                                                          |
 * | an empty text that another field replaces | missing: programs write all fields of their form                  |
 * | `type` in capitals, `remote`, `local`     | `http`, `stdio`                                                   |
 * | a `type` unknown or against the rest      | missing, if the entry has only a `url` or only a `command`        |
 * | `command` with arguments, or as a list    | the program, its arguments before those of `args`                 |
 * | `timeout` with a unit                     | milliseconds                                                      |
 * | any other invalid `timeout`               | missing: a limit is no reason to reject a server                  |
 * | `env`, `headers` as a list or as lines    | the names and values in it                                        |
 * | `url` without a scheme                    | `http` on this machine and its network, `https` elsewhere         |
 */
export function normalizeEntry(entry: Entry): { readonly value: Entry; readonly remarks: readonly Remark[] } {
  const remarks: Remark[] = [];
  const remark = (field: string, message: string) => void remarks.push({ path: [field], message });
  const trimmed = Object.fromEntries(
    Object.entries(entry).map(([field, value]) => {
      const isLone = typeof value === 'string' && singleTextFields.has(field);
      return [field, isLone ? withoutQuotes(value) : value];
    }),
  );
  const { command, url } = trimmed;
  const optionalFields = new Set([
    'type',
    'cwd',
    'envFile',
    isText(url) && 'command',
    isText(command) && 'url',
  ]);
  const filled = Object.entries(trimmed).filter(
    ([field, value]) => value !== '' || !optionalFields.has(field),
  );
  const value: Record<string, unknown> = { ...Object.fromEntries(filled), ...splitCommandField(trimmed) };
  if (isNeedlessType(value)) {
    remark('type', 'this does not fit the rest of the entry, so it is ignored');
    delete value.type;
  }
  const type = typeof value.type === 'string' ? types[value.type.toLowerCase()] : undefined;
  if (type !== undefined && !knownTypes.has(String(value.type))) {
    remark('type', `this was read as "${type}"`);
    value.type = type;
  }
  for (const field of ['env', 'headers'] as const) {
    const named =
      isText(value[field]) || Array.isArray(value[field])
        ? parseNameValuePairs(value[field], field)
        : undefined;
    if (named === undefined) continue;
    remark(field, 'this was read as names and values; write an object: {"NAME": "value"}');
    value[field] = named;
  }
  const scheme = typeof value.url === 'string' ? assumedScheme(value.url) : undefined;
  if (scheme !== undefined) {
    remark('url', `the scheme is missing, so this was read as ${scheme}; add it`);
    value.url = `${scheme}${value.url}`;
  }
  if (value.timeout === undefined) return { value, remarks };
  const time = timeOf(value.timeout);
  if (time === undefined) {
    remark('timeout', 'this is not a number of milliseconds above 0, so calls have no limit');
    delete value.timeout;
  } else if (time !== value.timeout) {
    remark('timeout', `this was read as ${time} ms`);
    value.timeout = time;
  }
  return { value, remarks };
}

/** Fields that hold one text. */
const singleTextFields: ReadonlySet<string> = new Set(['type', 'command', 'url', 'cwd', 'envFile']);

const knownTypes: ReadonlySet<string> = new Set([
  'stdio',
  'http',
  'sse',
  'streamable-http',
  'streamableHttp',
  'streamable_http',
]);
/** Types by their lower-case names, including those of other programs. */
const types: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  https: 'http',
  remote: 'http',
  streamable: 'http',
  'streamable-http': 'http',
  streamablehttp: 'http',
  streamable_http: 'http',
  sse: 'sse',
};

/**
 * Returns true for a type of another program, or one left over from an example: an entry with only a URL or only
 * a command shows by itself how the server is reached.
 */
function isNeedlessType({ type, command, url }: Entry): boolean {
  const isLocal = isText(command) && url === undefined;
  const isRemote = isText(url) && command === undefined;
  const name = typeof type === 'string' ? type : '';
  if (type === undefined || type === null || unsupportedType.test(name)) return false;
  const known = types[name.toLowerCase()];
  return known === 'stdio' ? isRemote : known === undefined ? isLocal || isRemote : isLocal;
}

const unsupportedType = /^(?:web-?sockets?|wss?|grpc)$/i;

function withoutQuotes(written: string): string {
  const text = written.trim();
  return /^(?:(["'`])[^"'`]+\1|<[^<>]+>)$/.test(text) ? text.slice(1, -1).trim() : text;
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function splitCommandField({ command, args = [] }: Entry): Entry {
  const words = typeof command === 'string' ? splitLauncherCommand(command) : command;
  const isList = Array.isArray(words) && words.length > 0 && words.every(isText);
  if (!isList || !Array.isArray(args)) return {};
  const [program, ...rest] = words;
  return { command: program, args: [...rest, ...args] };
}

/** Returns the scheme to assume for an address; undefined if it has one, or is not an address. */
function assumedScheme(url: string): 'http://' | 'https://' | undefined {
  if (localHost.test(url)) return 'http://';
  return publicHost.test(url) ? 'https://' : undefined;
}

const localHost =
  /^(?:localhost|host\.docker\.internal|\[::1\]|0\.0\.0\.0|(?:127|10)(?:\.\d{1,3}){3}|(?:192\.168|172\.(?:1[6-9]|2\d|3[01]))(?:\.\d{1,3}){2})(?::\d{1,5})?(?:[/?#]|$)/i;
const publicHost = /^(?:[a-z\d-]{1,63}\.){1,10}[a-z][a-z\d-]{1,62}(?::\d{1,5})?(?:[/?#]|$)/i;

function timeOf(value: unknown): number | undefined {
  const { amount = 0, unit = 1 } = parseDuration(value) ?? {};
  return amount > 0 ? amount * unit : undefined;
}
