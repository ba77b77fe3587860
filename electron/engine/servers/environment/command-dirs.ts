import { readdir, readFile, readlink, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { type Machine, versionManagers } from './version-managers.ts';

/**
 * Lists existing folders of common tools that are missing from the PATH of a program started from the
 * desktop, most important first.
 */
export async function commonCommandDirs(machine: Machine): Promise<readonly string[]> {
  const managers = versionManagers(machine);
  const nvm = managers.find(({ name }) => name === 'nvm')?.roots ?? [];
  const dirs = [
    ...['.local/bin', 'bin'].map((dir) => join(machine.home, dir)),
    ...managers.flatMap(({ roots, bins }) => roots.flatMap((root) => bins.map((bin) => join(root, bin)))),
    ...(await Promise.all(nvm.map(nvmDefaultBin))).filter((dir) => dir !== undefined),
    ...(machine.platform === 'win32' ? [] : systemDirs(machine)),
  ];
  const present = await Promise.all(dirs.map(isFolder));
  return [...new Set(dirs.filter((_, index) => present[index]))];
}

function systemDirs({ platform }: Machine): readonly string[] {
  const apps = platform === 'darwin' ? ['/Applications/Docker.app/Contents/Resources/bin'] : [];
  return [...apps, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
}

/** Appends missing folders to PATH, so that what is found already does not change. */
export function extendPath(path: string, dirs: readonly string[], delimiter: string): string {
  return [...new Set([...splitPath(path, delimiter), ...dirs])].join(delimiter);
}

/** Splits a PATH into folders, without empty entries. */
export function splitPath(path: string, delimiter: string): readonly string[] {
  return path.split(delimiter).filter((dir) => dir !== '');
}

/**
 * Resolves the per-shell links of fnm, which are deleted some time after their shell has ended. A PATH that
 * must outlive the shell needs their target: the default version or a specific one.
 */
export async function resolveFnmPath(path: string, delimiter: string): Promise<string> {
  const dirs = await Promise.all(splitPath(path, delimiter).map(resolveFnmDir));
  return [...new Set(dirs)].join(delimiter);
}

async function resolveFnmDir(dir: string): Promise<string> {
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

/**
 * Finds the folder of nvm's default Node version, else of its newest: never the oldest, which lacks `node:`
 * modules. Shells that load nvm lazily do not have it on their PATH.
 */
export async function nvmDefaultBin(root: string): Promise<string | undefined> {
  const versions = await readdir(join(root, 'versions', 'node')).catch(() => []);
  if (versions.length === 0) return undefined;
  const chosen = chooseNodeVersion(versions, await resolveAlias(root, 'default'));
  return chosen === undefined ? undefined : join(root, 'versions', 'node', chosen, 'bin');
}

/** Resolves an alias: `default` may say `lts/*`, which says `lts/jod`, which says `v22.11.0`. */
async function resolveAlias(root: string, alias: string, hops = 5): Promise<string> {
  // An alias is a file with that name; nothing outside of its folder may be read.
  if (hops === 0 || !/^[\w./*-]+$/.test(alias) || alias.includes('..')) return alias;
  const text = await readFile(join(root, 'alias', alias), 'utf8').catch(() => '');
  return text.trim() === '' ? alias : resolveAlias(root, text.trim(), hops - 1);
}

/**
 * Returns the newest of `versions` (`v20.1.0`) that starts with `wanted` (`20`, `v20.1`), else the newest of
 * all.
 */
export function chooseNodeVersion(versions: readonly string[], wanted: string): string | undefined {
  const newestFirst = versions
    .filter((version) => /^v\d+\.\d+\.\d+$/.test(version))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
  const prefix = wanted.replace(/^v?/, 'v');
  return (
    newestFirst.find((version) => version === prefix || version.startsWith(`${prefix}.`)) ?? newestFirst[0]
  );
}
