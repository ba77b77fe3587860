import { readdir, stat } from 'node:fs/promises';
import { foldersOf, type Machine, pathsOf, systemOf } from './machine.ts';
import type { ClientRow, ConfigLocation } from './table/client-row.ts';

/** A file of a client, as far as known without opening it. */
export interface FoundFile {
  readonly file: string;
  readonly exists: boolean;
}

/**
 * Returns the possible locations of a client's files on this machine, with `*` unresolved. Does not access
 * the disk.
 */
export function locationsOf({ places }: ClientRow, machine: Machine): readonly ConfigLocation[] {
  return places?.[systemOf(machine.platform)](foldersOf(machine)) ?? [];
}

/**
 * Finds a client's files that exist, or could be created because the client is installed. Checks only whether
 * they exist: if it opened them, macOS would ask the user for permission for every program.
 */
export async function findFiles(row: ClientRow, machine: Machine): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const { file, sign } of await resolvedLocations(row, machine)) {
    const exists = await pathExists(file);
    if (exists || (await pathExists(sign))) found.push({ file, exists });
  }
  return found;
}

/** Returns true if the client itself uses this file, whether it exists or not. */
export async function isOwnLocation(row: ClientRow, file: string, machine: Machine): Promise<boolean> {
  return (await resolvedLocations(row, machine)).some((location) => location.file === file);
}

async function resolvedLocations(
  row: ClientRow,
  machine: Machine,
): Promise<readonly Required<ConfigLocation>[]> {
  const found = locationsOf(row, machine).map((location) => resolveWildcard(location, machine));
  return (await Promise.all(found)).flat();
}

export async function pathExists(file: string): Promise<boolean> {
  return (await stat(file).catch(() => undefined)) !== undefined;
}

async function resolveWildcard(
  { file, sign }: ConfigLocation,
  machine: Machine,
): Promise<readonly Required<ConfigLocation>[]> {
  const paths = pathsOf(machine);
  const whole = { file, sign: sign ?? paths.dirname(file) };
  const parts = file.split(paths.sep);
  const index = parts.findIndex((part) => part.endsWith('*'));
  if (index === -1) return [whole];
  const start = parts[index]?.slice(0, -1) ?? '';
  const names = await readdir(parts.slice(0, index).join(paths.sep)).catch(() => []);
  const fill = (path: string, name: string) => path.replace(`${start}*`, name);
  return names
    .filter((name) => name.startsWith(start))
    .map((name) => ({ file: fill(whole.file, name), sign: fill(whole.sign, name) }));
}
