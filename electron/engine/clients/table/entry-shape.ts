import type { Entry } from '../format/contract.ts';

/** A command that a client starts: with an absolute path, for an almost empty environment. */
export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** An HTTP endpoint with its token. */
export interface HttpTarget {
  readonly url: string;
  readonly token: string;
}

/** The form of an entry that a client expects. */
export interface EntryShape {
  stdio(command: Command): Entry;
  http(target: HttpTarget): Entry;
  /** Returns the command of an entry in a file; undefined if it has none. */
  command(entry: Entry): Command | undefined;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** An empty environment is omitted, to keep other programs' files short. */
const plain = ({ command, args, env }: Command): Entry => ({
  command,
  args,
  ...(Object.keys(env).length === 0 ? {} : { env }),
});

const readPlain = (entry: Entry) => readCommand(entry.command, entry.args, entry.env);

/** Builds entries with `command`, `args` and `env`, and fixed extra fields. */
function shape(stdio: Entry, http: (target: HttpTarget) => Entry): EntryShape {
  return { stdio: (command) => ({ ...stdio, ...plain(command) }), http, command: readPlain };
}

const urlAnd =
  (more: Entry) =>
  ({ url, token }: HttpTarget): Entry => ({ ...more, url, headers: bearer(token) });

export const standard = shape({}, urlAnd({}));
export const typed = shape({ type: 'stdio' }, urlAnd({ type: 'http' }));
export const cline = shape({}, urlAnd({ type: 'streamableHttp' }));
export const roo = shape({}, urlAnd({ type: 'streamable-http' }));
export const windsurf = shape({}, ({ url, token }) => ({ serverUrl: url, headers: bearer(token) }));
export const gemini = shape({}, ({ url, token }) => ({ httpUrl: url, headers: bearer(token) }));
/** Older builds need `source`; newer ones ignore it. */
export const zed = shape({ source: 'custom' }, urlAnd({ source: 'custom' }));
/** Older builds need `tools`. */
export const copilot: EntryShape = {
  stdio: (command) => ({ type: 'local', ...plain(command), tools: ['*'] }),
  http: (target) => ({ ...urlAnd({ type: 'http' })(target), tools: ['*'] }),
  command: readPlain,
};
export const codex = shape({}, ({ url, token }) => ({ url, http_headers: bearer(token) }));
export const cherry: EntryShape = {
  stdio: (command) => ({ type: 'stdio', ...plain(command), isActive: true }),
  http: ({ url, token }) => ({
    type: 'streamableHttp',
    baseUrl: url,
    headers: bearer(token),
    isActive: true,
  }),
  command: readPlain,
};

/** The command and its arguments are one list. Only version 1 knows `enabled`, which defaults to true. */
export const opencode: EntryShape = {
  stdio: ({ command, args, env }) => ({
    type: 'local',
    command: [command, ...args],
    ...(Object.keys(env).length === 0 ? {} : { environment: env }),
  }),
  http: urlAnd({ type: 'remote' }),
  command: ({ command, environment }) => {
    const [program, ...args] = Array.isArray(command) ? command : [];
    return readCommand(program, args, environment);
  },
};

const extension = { enabled: true, name: 'patchbay', description: 'All your MCP servers', timeout: 300 };
export const goose: EntryShape = {
  stdio: ({ command, args, env }) => ({ ...extension, type: 'stdio', cmd: command, args, envs: env }),
  http: ({ url, token }) => ({ ...extension, type: 'streamable_http', uri: url, headers: bearer(token) }),
  command: (entry) => readCommand(entry.cmd, entry.args, entry.envs),
};

function readCommand(command: unknown, args: unknown = [], env: unknown = {}): Command | undefined {
  if (typeof command !== 'string' || !Array.isArray(args)) return undefined;
  const variables = typeof env === 'object' && env !== null ? Object.entries(env) : [];
  return {
    command,
    args: args.map(String),
    env: Object.fromEntries(variables.map(([name, value]) => [name, String(value)])),
  };
}
