import { isRecord } from '../../../../shared/json.ts';
import type { JsonNode } from '../jsonc/parse.ts';
import { type Member, memberOf, membersOf, type Path } from '../jsonc/tree.ts';

export type Entry = Readonly<Record<string, unknown>>;

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
  disable: 'disabled',
  isDisabled: 'disabled',
  is_disabled: 'disabled',
  transport: 'type',
  transportType: 'type',
  transport_type: 'type',
  serverType: 'type',
  server_type: 'type',
  connectionType: 'type',
  connection_type: 'type',
};

/** Returns the names under which programs write a member of ours, ours first. */
export function namesFor(own: string): readonly string[] {
  return [own, ...Object.keys(aliases).filter((name) => aliases[name] === own)];
}

/** A member that an entry has under another name, or inside another member. */
export interface MovedMember {
  readonly written: Path;
  readonly own: string;
  /** Offset of its value. */
  readonly offset: number;
}

/**
 * Returns an entry with all its members under our names, in an object of the same offsets, and which of them are
 * written differently. A member counts only if its value has the form of ours, and if ours is missing.
 */
export function ownEntry(entry: JsonNode): {
  readonly node: JsonNode;
  readonly moved: readonly MovedMember[];
} {
  if (entry.type !== 'object') return { node: entry, moved: [] };
  const found = new Map<Member, MovedMember>();
  const members = membersOf(entry);
  const taken = new Set(members.filter(isFilled).map(({ key }) => key));
  const add = (member: Member, own: string, written: Path) => {
    if (taken.has(own) || rivals.get(own)?.some((name) => taken.has(name))) return;
    taken.add(own);
    found.set(member, { written, own, offset: member.value.offset });
  };
  for (const member of members) {
    const own = ownNameOf(member);
    if (own !== undefined) add(member, own, [member.key]);
  }
  const lifted = members.flatMap((holder) => {
    const names = liftedFrom(holder, taken);
    if (names.length === 0) return [];
    if (holder.key === 'command') taken.delete('command');
    const { node, moved } = ownEntry(holder.value);
    return membersOf(node).flatMap((member) => {
      const own = holder.key === 'command' && member.key === 'path' ? 'command' : member.key;
      if (!names.includes(own) || !isFilled(member) || !forms.get(own)?.includes(member.value.type))
        return [];
      add(member, own, [holder.key, ...(moved.find((one) => one.own === own)?.written ?? [member.key])]);
      return found.has(member) ? [member] : [];
    });
  });
  const replaced = new Set([...found.values()].map(({ own }) => own));
  const kept = members.filter((member) => found.has(member) || !replaced.has(member.key));
  const children = [...kept, ...lifted].map((member) => renamedTo(found.get(member)?.own, member));
  return { node: { ...entry, children }, moved: [...found.values()] };
}

/** Returns a member by our name, whatever the entry calls it and wherever it holds it. */
export function entryMember(entry: JsonNode, name: string): Member | undefined {
  return memberOf(ownEntry(entry).node, name);
}

/** Returns where a plain entry holds a member of ours, with its value; the places in order of precedence. */
export function placesOf(entry: Entry, own: string): readonly (readonly [Path, unknown])[] {
  const direct = namesFor(own).flatMap((name): (readonly [Path, unknown])[] =>
    isEmptyText(entry[name]) ? [] : [[[name], entry[name]]],
  );
  const nested = Object.entries(holders).flatMap(([holder, names]) => {
    const value = entry[holder];
    if (!isRecord(value) || !names.includes(own)) return [];
    return placesOf(value, own).map(([path, one]) => [[holder, ...path], one] as const);
  });
  return [...direct, ...nested];
}

function renamedTo(own: string | undefined, { key, node, keyNode, value }: Member): JsonNode {
  return own === undefined || own === key ? node : { ...node, children: [{ ...keyNode, value: own }, value] };
}

function isFilled({ value }: Member): boolean {
  return value.type !== 'null' && !(value.type === 'string' && value.value === '');
}

function isEmptyText(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function ownNameOf({ key, value }: Member): string | undefined {
  const lower = key.toLowerCase();
  const own = Object.hasOwn(aliases, key) ? aliases[key] : lower === key ? undefined : lower;
  return own !== undefined && forms.get(own)?.includes(value.type) ? own : undefined;
}

/** Returns what counts of a member that holds members of ours; a target only if the entry has none of its own. */
function liftedFrom({ key, value }: Member, taken: ReadonlySet<string>): readonly string[] {
  if (value.type !== 'object' || !Object.hasOwn(holders, key)) return [];
  const names = holders[key] ?? [];
  const isOther = names === target && key !== 'transport' && (taken.has('command') || taken.has('url'));
  return isOther ? [] : names;
}

const target = ['command', 'args', 'env', 'cwd', 'url', 'type', 'headers', 'disabled'];
const options = ['disabled', 'headers', 'env'];

/** Members of other programs that hold members of ours. */
const holders: Readonly<Record<string, readonly string[]>> = {
  transport: target,
  connection: target,
  params: target,
  connection_params: target,
  server_params: target,
  config: target,
  stdio: target,
  remote: target,
  command: ['command', 'args', 'env'],
  requestInit: ['headers'],
  requestOptions: ['headers'],
  options,
  settings: options,
};

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
