import { readlink, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { nvmDefaultBin } from './nvm-default.ts';
import { type Place, versionManagers } from './version-managers.ts';

/**
 * Folders where people's tools live but which a program started from the desktop does not find on its PATH: those
 * that exist, most wanted first.
 */
export async function commonCommandDirs(place: Place): Promise<readonly string[]> {
  const managers = versionManagers(place);
  const nvm = managers.find(({ name }) => name === 'nvm')?.roots ?? [];
  const dirs = [
    ...['.local/bin', 'bin'].map((dir) => join(place.home, dir)),
    ...managers.flatMap(({ roots, bins }) => roots.flatMap((root) => bins.map((bin) => join(root, bin)))),
    ...(await Promise.all(nvm.map(nvmDefaultBin))).filter((dir) => dir !== undefined),
    ...(place.platform === 'win32' ? [] : systemDirs(place)),
  ];
  const present = await Promise.all(dirs.map(isFolder));
  return [...new Set(dirs.filter((_, index) => present[index]))];
}

function systemDirs({ platform }: Place): readonly string[] {
  const apps = platform === 'darwin' ? ['/Applications/Docker.app/Contents/Resources/bin'] : [];
  return [...apps, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
}

/** PATH with the folders it lacks appended: what it already finds stays what is found. */
export function extendPath(path: string, dirs: readonly string[], delimiter: string): string {
  return [...new Set([...splitPath(path, delimiter), ...dirs])].join(delimiter);
}

/** The folders of a PATH, in order, without empty ones. */
export function splitPath(path: string, delimiter: string): readonly string[] {
  return path.split(delimiter).filter((dir) => dir !== '');
}

/**
 * fnm gives each shell a folder of its own, a link that is cleared away some time after the shell has ended. A PATH
 * that is to last names what the link leads to: the default version or one version.
 */
export async function lastingPath(path: string, delimiter: string): Promise<string> {
  const dirs = await Promise.all(splitPath(path, delimiter).map(lastingDir));
  return [...new Set(dirs)].join(delimiter);
}

async function lastingDir(dir: string): Promise<string> {
  const link = dirname(dir);
  if (basename(dirname(link)) !== 'fnm_multishells') return dir;
  const target = await readlink(link).catch(() => undefined);
  return target === undefined ? dir : join(resolve(dirname(link), target), basename(dir));
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
