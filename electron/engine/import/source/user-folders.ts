import { readFile } from 'node:fs/promises';
import { foldersOf, type Machine, systemOf } from '../../clients/machine.ts';
import {
  expandVariables,
  isDamaged,
  queryRegistry,
  type RegistryValues,
} from '../../store/files/windows-registry.ts';

/** The user's folders that are not in their default location: absolute paths. */
export type UserFolders = Readonly<Record<string, string>>;

/**
 * Asks the system for Desktop, Documents and Downloads: OneDrive moves them on Windows, and on Linux their
 * names depend on the language. Never rejects.
 */
export async function userFolders(machine: Machine): Promise<UserFolders> {
  const system = systemOf(machine.platform);
  if (system === 'linux') return readUserDirs(machine);
  // A Windows machine emulated by a test has no registry.
  if (system !== 'win32' || process.platform !== 'win32') return {};
  return shellFolders(await queryRegistry(shellFoldersKey, machine.env).catch(() => ({})), machine);
}

const shellFoldersKey = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\User Shell Folders';

/** Registry values, with the names that bundle manifests use. */
const shellFolderNames: Readonly<Record<string, string>> = {
  Desktop: 'DESKTOP',
  Personal: 'DOCUMENTS',
  '{374DE290-123F-4565-9164-39C4925E467B}': 'DOWNLOADS',
};

export function shellFolders(values: RegistryValues, { env }: Machine): UserFolders {
  const byName = new Map(Object.entries(env).map(([name, value]) => [name.toUpperCase(), value]));
  const found = Object.entries(values).flatMap(([value, text]) => {
    const name = shellFolderNames[value];
    const folder = expandVariables(text, (variable) => byName.get(variable.toUpperCase()));
    const isUsable = folder !== '' && !folder.includes('%') && !isDamaged(folder);
    return name === undefined || !isUsable ? [] : [[name, folder] as const];
  });
  return Object.fromEntries(found);
}

async function readUserDirs(machine: Machine): Promise<UserFolders> {
  const { config, home, join } = foldersOf(machine);
  const text = await readFile(join(config, 'user-dirs.dirs'), 'utf8').catch(() => '');
  const found = [...text.matchAll(/^XDG_(DESKTOP|DOCUMENTS|DOWNLOAD)_DIR="(?:\$HOME)?(\/[^"\n]*)"/gm)];
  return Object.fromEntries(
    found.map(([line, name = '', path = '']) => [
      name === 'DOWNLOAD' ? 'DOWNLOADS' : name,
      line.includes('$HOME') ? home + path : path,
    ]),
  );
}
