import { isRecord } from '../../../../shared/json.ts';
import type { Entry } from './dialects.ts';

/** Transports of a server, with our type, and the member with its path and the default path. */
const transports: readonly {
  readonly member: string;
  readonly type: string;
  readonly path?: readonly [member: string, usual: string];
}[] = [
  { member: 'stdio', type: 'stdio' },
  { member: 'sse', type: 'sse', path: ['sse-endpoint', '/sse'] },
  { member: 'streamable-http', type: 'http', path: ['endpoint', '/mcp'] },
];

/** Converts the settings of a Spring AI client to the standard form; undefined for any other value. */
export function springServers(value: unknown): Entry | undefined {
  const whole = nested(value);
  const client = [
    ['spring', 'ai', 'mcp', 'client'],
    ['ai', 'mcp', 'client'],
    ['mcp', 'client'],
  ]
    .map((path) => path.reduce<unknown>((inner, name) => field(inner, name), whole))
    .find(isRecord);
  const servers = transports.flatMap(({ member, type, path }) =>
    Object.entries(record(field(field(client, member), 'connections'))).map(([name, connection]) => {
      const { args, ...rest } = record(connection);
      const own = path === undefined ? { ...rest, ...listed(args) } : addressOf(rest, ...path);
      return [name, { type, ...own }] as const;
    }),
  );
  return servers.length === 0 ? undefined : { mcpServers: Object.fromEntries(servers) };
}

/** Converts the settings of a LangChain4j client under Quarkus to the standard form. */
export function quarkusServers(value: unknown): Entry | undefined {
  const servers = record(
    ['quarkus', 'langchain4j', 'mcp'].reduce<unknown>((inner, name) => field(inner, name), nested(value)),
  );
  const read = Object.entries(servers).flatMap(([name, server]) => {
    if (!isRecord(server) || field(server, 'transport-type') === undefined) return [];
    const { command: written, url } = server;
    const words = written === undefined ? [] : listed(written).args;
    const [command, ...args]: readonly unknown[] = Array.isArray(words) ? words : [];
    const env = field(server, 'environment');
    const headers = field(server, 'headers');
    const entry = {
      type: field(server, 'transport-type'),
      ...(command === undefined ? {} : { command, args }),
      ...(url === undefined ? {} : { url }),
      ...(env === undefined ? {} : { env }),
      ...(headers === undefined ? {} : { headers }),
    };
    return [[name, entry] as const];
  });
  return read.length === 0 ? undefined : { mcpServers: Object.fromEntries(read) };
}

/** Reads the same settings from a `.properties` file. */
export function springProperties(text: string): Entry | undefined {
  const lines = text.matchAll(
    /^[ \t]*(?:%\w{1,40}\.)?((?:spring\.ai\.mcp\.client|quarkus\.langchain4j\.mcp)\.[\w.[\]-]{1,200})[ \t]*[=:][ \t]*(\S[^\n]*)$/gm,
  );
  const properties = [...lines].map(([, name = '', value = '']) => [name, value.trim()] as const);
  if (properties.length === 0) return undefined;
  const settings = Object.fromEntries(properties);
  return springServers(settings) ?? quarkusServers(settings);
}

/** Turns members whose names are paths (`a.b[0]`) into nested members. */
function nested(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const root: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    const path = name.split(/[.[\]]+/).filter((part) => part !== '');
    const last = path.pop() ?? name;
    let at = root;
    for (const part of path.slice(0, maxDepth)) {
      const next = record(Object.hasOwn(at, part) ? at[part] : undefined);
      Object.defineProperty(at, part, { value: next, enumerable: true, writable: true, configurable: true });
      at = next;
    }
    Object.defineProperty(at, last, { value: inner, enumerable: true, writable: true, configurable: true });
  }
  return root;
}

const maxDepth = 20;

/** Spring accepts any spelling of a name: `streamableHttp` for `streamable-http`. */
function field(value: unknown, name: string): unknown {
  const plain = (text: string) => text.toLowerCase().replace(/[-_]/g, '');
  return Object.entries(record(value)).find(([key]) => plain(key) === plain(name))?.[1];
}

/** Reads arguments separated by commas, or by number. */
function listed(args: unknown): Entry {
  if (args === undefined) return {};
  if (typeof args === 'string') return { args: args.split(',').map((word) => word.trim()) };
  return { args: isRecord(args) ? Object.values(args) : args };
}

function addressOf(connection: Entry, member: string, defaultPath: string): Entry {
  const { url } = connection;
  const written = field(connection, member);
  if (typeof url !== 'string') return connection;
  if (typeof written === 'string') return { url: joined(url, written) };
  return { url: /\/(?:mcp|sse)\/?$/.test(url) ? url : joined(url, defaultPath) };
}

function joined(url: string, path: string): string {
  return URL.canParse(path, url) ? new URL(path, url).href : url.replace(/\/$/, '') + path;
}

function record(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}
