import type { JsonNode } from '../jsonc/parse.ts';
import { type Member, membersOf } from '../jsonc/tree.ts';

/** Other programs' names for our members. */
export const aliases: Readonly<Record<string, string>> = {
  cmd: 'command',
  arguments: 'args',
  environment: 'env',
  envs: 'env',
  envVars: 'env',
  environmentVariables: 'env',
  environment_variables: 'env',
  uri: 'url',
  serverUrl: 'url',
  server_url: 'url',
  httpUrl: 'url',
  baseUrl: 'url',
  sseUrl: 'url',
  sseEndpoint: 'url',
  endpointUrl: 'url',
  remoteUrl: 'url',
  remote_url: 'url',
  endpoint: 'url',
  http_headers: 'headers',
  httpHeaders: 'headers',
  customHeaders: 'headers',
  custom_headers: 'headers',
  requestHeaders: 'headers',
  workingDirectory: 'cwd',
  working_directory: 'cwd',
  workingDir: 'cwd',
  working_dir: 'cwd',
  workdir: 'cwd',
  env_file: 'envFile',
  transportType: 'type',
  transport_type: 'type',
  serverType: 'type',
};

/**
 * Returns the members of an entry that have another program's name, or capitals, by that name, with our name
 * for them. A member counts only if its value has the form of ours, and if ours is missing.
 */
export function renamedMembers(entry: JsonNode): ReadonlyMap<string, string> {
  const members = membersOf(entry);
  const taken = new Set(members.map(({ key }) => key));
  const renamed = new Map<string, string>();
  for (const member of members) {
    const own = ownNameOf(member);
    if (own === undefined || taken.has(own) || rivals.get(own)?.some((name) => taken.has(name))) continue;
    taken.add(own);
    renamed.set(member.key, own);
  }
  return renamed;
}

/** Returns a member by our name, whatever the entry calls it. */
export function entryMember(entry: JsonNode, name: string): Member | undefined {
  const renamed = renamedMembers(entry);
  return membersOf(entry).find(({ key }) => (renamed.get(key) ?? key) === name);
}

function ownNameOf({ key, value }: Member): string | undefined {
  const lower = key.toLowerCase();
  const own = Object.hasOwn(aliases, key) ? aliases[key] : lower === key ? undefined : lower;
  return own !== undefined && forms.get(own)?.includes(value.type) ? own : undefined;
}

/** Members of which an entry has only one. */
const rivals: ReadonlyMap<string, readonly string[]> = new Map([
  ['url', ['command']],
  ['command', ['url']],
]);

/** Forms of our members. An `envFile` counts only under our own name, since others need not exist. */
const forms: ReadonlyMap<string, readonly JsonNode['type'][]> = new Map([
  ['command', ['string', 'array']],
  ['url', ['string']],
  ['cwd', ['string']],
  ['type', ['string']],
  ['args', ['array', 'string']],
  ['env', ['object', 'array']],
  ['headers', ['object', 'array']],
  ['disabled', ['boolean', 'string', 'number']],
]);
