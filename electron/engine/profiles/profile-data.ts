import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { CompactSettings } from '../../../shared/model/client/compact.ts';
import type { Profile, ProfilesView, ServerSelection } from '../../../shared/model/client/profile.ts';
import { withTools } from '../../../shared/model/client/profile-selection.ts';
import type { OperationInput } from '../../../shared/operations/table.ts';
import type { Profiles } from '../catalogue/profiles.ts';

/** Content of `profiles.json`. */
export interface ProfileData {
  readonly version: number;
  readonly profiles: Readonly<Record<string, WrittenProfile>>;
  readonly clients: Readonly<Record<string, string>>;
  /** By client; `false` if the client gets the full list whatever its profile says. */
  readonly compact?: Readonly<Record<string, CompactSettings | false>>;
}

interface WrittenProfile {
  readonly servers: Readonly<Record<string, Written>>;
  readonly compact?: CompactSettings;
}

type Written = true | { readonly only: readonly string[] } | { readonly except: readonly string[] };

type Servers = OperationInput<'profile.select'>['servers'];

/* Edits as functions from data to data. They throw ProblemError for impossible changes. */

export function createProfile(data: ProfileData, name: string, copyOf: string | undefined): ProfileData {
  if (data.profiles[name] !== undefined) throw exists(name);
  const profile = copyOf === undefined ? { servers: {} } : profileOf(data, copyOf);
  return { ...data, profiles: { ...data.profiles, [name]: profile } };
}

/** Keeps the profile's position in the file. */
export function renameProfile(data: ProfileData, name: string, newName: string): ProfileData {
  profileOf(data, name);
  if (newName === name) return data;
  if (data.profiles[newName] !== undefined) throw exists(newName);
  const renamed = (one: string) => (one === name ? newName : one);
  return {
    ...data,
    profiles: mapKeys(data.profiles, renamed),
    clients: mapValues(data.clients, renamed),
  };
}

export function deleteProfile(data: ProfileData, name: string, force: boolean): ProfileData {
  profileOf(data, name);
  const users = Object.keys(data.clients).filter((client) => data.clients[client] === name);
  if (!force && users.length > 0) throw inUse(name, users);
  return {
    ...data,
    profiles: without(data.profiles, (one) => one === name),
    clients: without(data.clients, (client) => data.clients[client] === name),
  };
}

/** Restores a deleted profile for the clients that used it and have no other profile now. */
export function restoreProfile(data: ProfileData, name: string, before: ProfileData): ProfileData {
  if (data.profiles[name] !== undefined) throw exists(name);
  const profile = before.profiles[name];
  if (profile === undefined) return data;
  const clients = without(before.clients, (client) => before.clients[client] !== name);
  return {
    ...data,
    profiles: { ...data.profiles, [name]: profile },
    clients: { ...clients, ...data.clients },
  };
}

export function selectServers(data: ProfileData, name: string, selected: Servers): ProfileData {
  const { servers, ...profile } = profileOf(data, name);
  const remaining = without(servers, (key) => selected[key] === 'none');
  const set = Object.entries(selected).flatMap(([key, selection]) =>
    selection === 'none' ? [] : [[key, selection === 'all' ? (true as const) : selection] as const],
  );
  const changed = { ...profile, servers: { ...remaining, ...Object.fromEntries(set) } };
  return { ...data, profiles: { ...data.profiles, [name]: changed } };
}

export function setTools(
  data: ProfileData,
  name: string,
  key: string,
  names: readonly string[],
  on: boolean,
): ProfileData {
  const written = profileOf(data, name).servers[key];
  return selectServers(data, name, { [key]: withTools(written === true ? 'all' : written, names, on) });
}

export function assignProfile(data: ProfileData, client: string, name: string | undefined): ProfileData {
  if (name === undefined) return { ...data, clients: without(data.clients, (one) => one === client) };
  profileOf(data, name);
  return { ...data, clients: { ...data.clients, [client]: name } };
}

/**
 * Sets compact mode for a client, or for all that have a profile; `inherit` leaves it to the client's
 * profile.
 */
export function setCompact(data: ProfileData, input: OperationInput<'profile.setCompact'>): ProfileData {
  const { of, name, compact } = input;
  if (of === 'client') {
    const others = without(data.compact ?? {}, (client) => client === name);
    const set = compact === 'inherit' ? {} : { [name]: compact === 'off' ? (false as const) : compact };
    const { compact: _before, ...rest } = data;
    const all = { ...others, ...set };
    return Object.keys(all).length === 0 ? rest : { ...rest, compact: all };
  }
  const { compact: _before, ...profile } = profileOf(data, name);
  const changed = typeof compact === 'string' ? profile : { ...profile, compact };
  return { ...data, profiles: { ...data.profiles, [name]: changed } };
}

/** Removes these servers from every profile: a later server with the same name is another one. */
export function dropServers(data: ProfileData, removed: ReadonlySet<string>): ProfileData {
  const profiles = mapValues(data.profiles, (profile) => ({
    ...profile,
    servers: without(profile.servers, (key) => removed.has(key)),
  }));
  return { ...data, profiles };
}

/** Returns the selection of a server in each profile, so that it can be restored. */
export function selectionsOf(data: ProfileData, key: string): Readonly<Record<string, Written>> {
  const found = Object.entries(data.profiles).flatMap(([name, { servers }]) => {
    const written = servers[key];
    return written === undefined ? [] : [[name, written] as const];
  });
  return Object.fromEntries(found);
}

export function restoreSelections(
  data: ProfileData,
  key: string,
  selections: Readonly<Record<string, Written>>,
): ProfileData {
  const profiles = Object.fromEntries(
    Object.entries(data.profiles).map(([name, profile]) => {
      const written = selections[name];
      if (written === undefined || profile.servers[key] !== undefined) return [name, profile];
      return [name, { ...profile, servers: { ...profile.servers, [key]: written } }];
    }),
  );
  return { ...data, profiles };
}

/** Converts profiles to the form that the window shows. */
export function toView({ byName, clients, compact }: Profiles): Omit<ProfilesView, 'problem'> {
  const profiles = [...byName.values()].map(({ name, servers, compact: compactSettings }): Profile => {
    const entries = [...servers].map(([key, selected]): readonly [string, ServerSelection] => {
      if (selected === 'all') return [key, 'all'];
      return [key, 'only' in selected ? { only: [...selected.only] } : { except: [...selected.except] }];
    });
    const shown = { name, servers: Object.fromEntries(entries) };
    return compactSettings === undefined ? shown : { ...shown, compact: compactSettings };
  });
  const view = { profiles, clients: Object.fromEntries(clients) };
  return compact.size === 0 ? view : { ...view, compact: Object.fromEntries(compact) };
}

function profileOf({ profiles }: ProfileData, name: string) {
  const profile = profiles[name];
  if (profile !== undefined) return profile;
  const sentence = `There is no profile ${JSON.stringify(name)}.`;
  const fix = 'It may have been renamed or deleted. Check the list again.';
  throw new ProblemError(problem('profile.unknown', sentence, fix, { profile: name }));
}

function exists(name: string): ProblemError {
  const sentence = `There is already a profile called ${JSON.stringify(name)}.`;
  return new ProblemError(problem('profile.exists', sentence, 'Choose another name.', { profile: name }));
}

function inUse(name: string, clients: readonly string[]): ProblemError {
  const sentence = `${JSON.stringify(name)} is used by ${clients.join(', ')}.`;
  const fix = 'Assign them another profile first, or delete it anyway: they then get everything.';
  return new ProblemError(
    problem('profile.in_use', sentence, fix, { profile: name, clients: clients.join(', ') }),
  );
}

function without<V>(
  record: Readonly<Record<string, V>>,
  isDropped: (key: string) => boolean,
): Record<string, V> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !isDropped(key)));
}

function mapKeys<V>(record: Readonly<Record<string, V>>, change: (key: string) => string): Record<string, V> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [change(key), value]));
}

function mapValues<V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
