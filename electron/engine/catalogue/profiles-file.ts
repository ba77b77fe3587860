import { isRecord } from '../../../shared/json.ts';
import { type CompactSettings, maxDirectTools } from '../../../shared/model/compact.ts';
import { readTextIfExists } from '../store/atomic-file.ts';
import type { Profiles, Selection, ServerSelection } from './profiles.ts';

/** Version of the file format. A newer file belongs to a newer program. */
export const profilesFileVersion = 1;

/** The profiles, or the reason for the person who edited the file why it is invalid. */
export type ReadProfiles =
  | { readonly ok: true; readonly profiles: Profiles }
  | { readonly ok: false; readonly reason: string; readonly isNewer: boolean };

export const noProfiles: Profiles = { byName: new Map(), clients: new Map(), compact: new Map() };

/**
 * Reads a `profiles.json` without comments; undefined if it is invalid. Validated by hand, because the bridge
 * reads it before its first response.
 */
export async function readProfilesFile(file: string): Promise<Profiles | undefined> {
  try {
    const text = await readTextIfExists(file);
    if (text === undefined) return noProfiles;
    const read = readProfiles(JSON.parse(text));
    return read.ok ? read.profiles : undefined;
  } catch {
    return undefined;
  }
}

/** Validates the file as a whole: one invalid part makes all of it invalid, because nothing is guessed. */
export function readProfiles(value: unknown): ReadProfiles {
  if (!isRecord(value)) return invalid('the file must be an object');
  const { version, profiles = {}, clients = {}, compact = {} } = value;
  if (typeof version !== 'number') return invalid('version must be a number');
  if (version > profilesFileVersion)
    return { ...invalid(`it has a newer format, ${version}`), isNewer: true };
  if (!isRecord(profiles)) return invalid('profiles must be an object');
  if (!isRecord(clients)) return invalid('clients must be an object');
  if (!isRecord(compact)) return invalid('compact must be an object');
  const byName = new Map<string, Selection>();
  for (const [name, profile] of Object.entries(profiles)) {
    const selection = readSelection(name, profile);
    if (typeof selection === 'string') return invalid(selection);
    byName.set(name, selection);
  }
  const given = Object.entries(clients);
  const invalidEntry = given.find(([, name]) => typeof name !== 'string');
  if (invalidEntry !== undefined) return invalid(`clients.${invalidEntry[0]} must be the name of a profile`);
  const short = new Map<string, CompactSettings | 'off'>();
  for (const [client, written] of Object.entries(compact)) {
    const settings = written === false ? 'off' : readCompact(written);
    if (settings === undefined) return invalid(`compact.${client} must be false, or ${compactForm}`);
    short.set(client, settings);
  }
  const named = new Map(given as [string, string][]);
  return { ok: true, profiles: { byName, clients: named, compact: short } };
}

/** Returns the selection, or the reason why it is invalid. */
function readSelection(name: string, profile: unknown): Selection | string {
  const place = `profiles.${name}`;
  if (!isRecord(profile) || !isRecord(profile.servers)) return `${place}.servers must be an object`;
  const servers = new Map<string, ServerSelection>();
  for (const [key, written] of Object.entries(profile.servers)) {
    const selected = readServer(written);
    if (selected === undefined)
      return `${place}.servers.${key} must be true, { "only": [names] } or { "except": [names] }`;
    servers.set(key, selected);
  }
  if (profile.compact === undefined) return { name, servers };
  const compact = readCompact(profile.compact);
  return compact === undefined ? `${place}.compact must be ${compactForm}` : { name, servers, compact };
}

const compactForm = `{ "direct": 0 to ${maxDirectTools}, "pinned": ["server:tool"] }`;

function readCompact(written: unknown): CompactSettings | undefined {
  if (!isRecord(written)) return undefined;
  const { direct = 0, pinned = [] } = written;
  if (typeof direct !== 'number' || !Number.isInteger(direct) || direct < 0 || direct > maxDirectTools)
    return undefined;
  return isNames(pinned) ? { direct, pinned } : undefined;
}

function readServer(written: unknown): ServerSelection | undefined {
  if (written === true) return 'all';
  if (!isRecord(written)) return undefined;
  const { only, except } = written;
  if (isNames(only) && except === undefined) return { only: new Set(only) };
  if (isNames(except) && only === undefined) return { except: new Set(except) };
  return undefined;
}

function invalid(reason: string): Extract<ReadProfiles, { ok: false }> {
  return { ok: false, reason, isNewer: false };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}
