import { isRecord, scalarText } from '../../../../../shared/json.ts';
import type { Entry } from '../entry/dialects.ts';

/**
 * Reads servers from catalogues, in the standard form: Docker's catalogue, one file of its registry, and the
 * registry of mcpm. Undefined for any other value.
 */
export function catalogueServers(value: unknown): Entry | undefined {
  if (!isRecord(value)) return undefined;
  if (isRecord(value.installations)) return mcpmServer(value, value.installations);
  const listed = isRecord(value.registry)
    ? Object.entries(value.registry)
    : typeof value.name === 'string' && (isRecord(value.about) || isRecord(value.meta))
      ? [[value.name, value] as const]
      : [];
  const servers = listed.flatMap(([name, one]) => {
    const entry = isRecord(one) ? dockerEntry(one) : undefined;
    return entry === undefined ? [] : [[name, entry] as const];
  });
  return servers.length === 0 ? undefined : { mcpServers: Object.fromEntries(servers) };
}

/** Reads an image with its secrets and variables, or an address. */
function dockerEntry(one: Entry): Entry | undefined {
  const { config, run, remote, image } = one;
  if (!['server', 'remote', 'poci'].includes(scalarText(one.type))) return undefined;
  const own = { ...one, ...(isRecord(config) ? config : {}), ...(isRecord(run) ? run : {}) };
  const secrets = listOf(own.secrets).flatMap(({ env }) => (typeof env === 'string' ? [env] : []));
  if (isRecord(remote) && typeof remote.url === 'string') {
    const { transport_type: type = 'http', url, headers } = remote;
    const sent = Object.entries(isRecord(headers) ? headers : {}).map(([name, text]) => [
      name,
      secrets.reduce((done, secret) => done.replaceAll(`\${${secret}}`, `<${secret}>`), scalarText(text)),
    ]);
    return { type, url, ...(sent.length === 0 ? {} : { headers: Object.fromEntries(sent) }) };
  }
  if (typeof image !== 'string' || image === '') return undefined;
  const variables = listOf(own.env).flatMap(({ name, value }) =>
    typeof name === 'string' ? [[name, variableOf(name, value)] as const] : [],
  );
  const env = Object.fromEntries([...secrets.map((name) => [name, `<${name}>`] as const), ...variables]);
  const { command, volumes } = own;
  return {
    image,
    ...(command === undefined ? {} : { cmd_args: withPlaceholders(command) }),
    ...(volumes === undefined ? {} : { volumes: withPlaceholders(volumes) }),
    ...(Object.keys(env).length === 0 ? {} : { env }),
  };
}

/** A value such as `{{kite.host|or:""}}` is filled in by the user. */
function variableOf(name: string, value: unknown): string {
  return /\{\{[^{}]{1,200}\}\}/.test(scalarText(value)) ? `<${name}>` : scalarText(value);
}

function withPlaceholders(words: unknown): unknown {
  return Array.isArray(words)
    ? words.map((one) => scalarText(one).replace(/\{\{([^{}|]{1,200})(?:\|[^{}]{0,200})?\}\}/g, '<$1>'))
    : words;
}

/**
 * Reads the recommended installation, or else the first; its arguments are described beside the
 * installations.
 */
function mcpmServer(value: Entry, installations: Entry): Entry | undefined {
  const methods = Object.values(installations).filter(isRecord);
  const method =
    methods.find(({ recommended }) => recommended === true) ??
    methods.find(({ command }) => command !== undefined);
  if (method === undefined || (method.command === undefined && method.url === undefined)) return undefined;
  const { command, args, env, url, headers } = method;
  const needs = isRecord(value.arguments) ? Object.keys(value.arguments) : [];
  const entry = JSON.stringify({ command, args, env, url, headers });
  const open = needs
    .filter((name) => /^\w{1,100}$/.test(name))
    .reduce((text, name) => text.replaceAll(`\${${name}}`, `<${name}>`), entry);
  return { mcpServers: { [scalarText(value.name)]: JSON.parse(open) } };
}

function listOf(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}
