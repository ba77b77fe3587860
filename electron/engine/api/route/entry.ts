import { maskText } from '../../base/mask/mask-text.ts';
import { isSecretName } from '../../base/mask/secret-name.ts';
import { ApiError } from '../http/api-error.ts';
import type { ConnectionConfig, NewServer, ServerPatch } from '../schema/server.ts';

type Entry = Readonly<Record<string, unknown>>;

/** Creates the config entry for a registration. */
export function newEntry(server: NewServer): Entry {
  const { transport_type, connection_config, auto_connect, health_check_url } = server;
  refuseHidden(connection_config);
  return {
    ...connectionEntry(transport_type, connection_config),
    ...(auto_connect ? {} : { disabled: true }),
    ...(health_check_url === undefined ? {} : { patchbay: { healthCheckUrl: health_check_url } }),
  };
}

/**
 * Applies a change to an entry, keeping members unknown to the API. Returns the same object if nothing
 * changes.
 */
export function changedEntry(entry: Entry, patch: ServerPatch): Entry {
  const { connection_config: config, health_check_url: url } = patch;
  const changed = config === undefined ? entry : reconnected(entry, config, patch);
  return url === undefined ? changed : withHealthUrl(changed, url);
}

function reconnected(entry: Entry, config: ConnectionConfig, { transport_type }: ServerPatch): Entry {
  refuseHidden(config);
  const kept = Object.entries(entry).filter(([name]) => !connectionMembers.has(name));
  const isRemote = config.url !== undefined;
  const type = transport_type ?? (isRemote ? typeOf(entry) : 'STDIO');
  return { ...connectionEntry(type, config), ...Object.fromEntries(kept) };
}

const connectionMembers: ReadonlySet<string> = new Set([
  'type',
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
]);

function typeOf({ type }: Entry): NewServer['transport_type'] {
  return type === 'sse' ? 'SSE' : 'HTTP';
}

function connectionEntry(type: NewServer['transport_type'], config: ConnectionConfig): Entry {
  const { command, args, env, cwd, url, headers } = config;
  const members =
    type === 'STDIO' ? { command, args, env, cwd } : { type: type === 'SSE' ? 'sse' : 'http', url, headers };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

function withHealthUrl(entry: Entry, url: string | null): Entry {
  const { healthCheckUrl: _before, ...options } = optionsOf(entry);
  const after = url === null ? options : { ...options, healthCheckUrl: url };
  const { patchbay: _options, ...rest } = entry;
  return Object.keys(after).length === 0 ? rest : { ...rest, patchbay: after };
}

/** Returns the entry with possible secrets hidden, except references. */
export function shownConfig(entry: Entry): ConnectionConfig {
  const { command, args, env, cwd, url, headers } = entry as ConnectionConfig;
  return {
    ...(command === undefined ? {} : { command: maskText(command) }),
    ...(args === undefined ? {} : { args: args.map(shownArgument) }),
    ...(env === undefined ? {} : { env: shownValues(env) }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(url === undefined ? {} : { url: shownUrl(url) }),
    ...(headers === undefined ? {} : { headers: shownValues(headers) }),
  };
}

export function healthUrlOf(entry: Entry): string | undefined {
  const { healthCheckUrl } = optionsOf(entry);
  return typeof healthCheckUrl === 'string' ? shownUrl(healthCheckUrl) : undefined;
}

function optionsOf({ patchbay }: Entry): Entry {
  return typeof patchbay === 'object' && patchbay !== null ? (patchbay as Entry) : {};
}

/** Replaces hidden values. */
const hidden = '[hidden]';

function shownValues(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isReference(value) ? value : hidden]),
  );
}

/** Hides the value after a secret's name: `--token X`, `--token=X`. */
function shownArgument(argument: string, index: number, all: readonly string[]): string {
  const before = all[index - 1] ?? '';
  if (isReference(argument)) return argument;
  if (/^-[^=]+$/.test(before) && isSecretName(before)) return hidden;
  const [, option, value] = /^(-[^=]+)=(.+)$/s.exec(argument) ?? [];
  if (option === undefined || value === undefined || !isSecretName(option)) return maskText(argument);
  return isReference(value) ? argument : `${option}=${hidden}`;
}

function shownUrl(url: string): string {
  const shown = maskText(url);
  const query = shown.indexOf('?');
  return query < 0 ? shown : `${shown.slice(0, query)}?${hidden}`;
}

function isReference(value: string): boolean {
  return /^(?:[A-Za-z]+ )?(?:\$\{[^{}]+\}|\$[A-Za-z_][A-Za-z0-9_]*)$/.test(value);
}

/** Rejects hidden values sent back in a change. */
function refuseHidden({ args = [], env = {}, headers = {}, url = '' }: ConnectionConfig): void {
  const places = [
    ...args.map((value, index) => [`args.${index}`, value] as const),
    ...Object.entries(env).map(([name, value]) => [`env.${name}`, value] as const),
    ...Object.entries(headers).map(([name, value]) => [`headers.${name}`, value] as const),
    ['url', url] as const,
  ];
  const fields = places
    .filter(([, value]) => value.includes(hidden) || value.includes('•••'))
    .map(([path]) => ({
      path: `connection_config.${path}`,
      message: 'this stands for a hidden value',
    }));
  if (fields.length === 0) return;
  const sentence = 'A hidden value cannot be written back.';
  throw new ApiError(422, 'BadRequestError', 'hidden_value', sentence, {
    fields,
    fix: 'Write the value itself, or refer to a variable or a stored secret.',
  });
}
