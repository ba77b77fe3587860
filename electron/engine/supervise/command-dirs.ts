import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Folders where people's tools live but which a program started from the desktop does not find on its PATH: those
 * that exist, most wanted first.
 */
export async function commonCommandDirs(
  home: string,
  platform: NodeJS.Platform = process.platform,
): Promise<readonly string[]> {
  if (platform === 'win32') return [];
  const dirs = [
    ...homeDirs.map((dir) => join(home, dir)),
    ...(await nvmDirs(home)),
    ...(platform === 'darwin' ? macDirs : linuxDirs),
    '/usr/local/bin',
    '/usr/bin',
    '/bin',
    '/usr/sbin',
    '/sbin',
  ];
  const present = await Promise.all(dirs.map(isFolder));
  return dirs.filter((_, index) => present[index]);
}

/** PATH with the folders it lacks appended: what it already finds stays what is found. */
export function extendPath(path: string, dirs: readonly string[], delimiter: string): string {
  const present = path.split(delimiter).filter((dir) => dir !== '');
  return [...new Set([...present, ...dirs])].join(delimiter);
}

const homeDirs: readonly string[] = [
  '.local/bin',
  'bin',
  '.volta/bin',
  '.asdf/shims',
  '.local/share/mise/shims',
  '.local/share/fnm/aliases/default/bin',
  'Library/Application Support/fnm/aliases/default/bin',
  '.pyenv/shims',
  '.rbenv/shims',
  '.cargo/bin',
  '.bun/bin',
  '.deno/bin',
  'go/bin',
  '.local/share/pnpm',
  'Library/pnpm',
  '.npm-global/bin',
  '.nix-profile/bin',
];

const macDirs: readonly string[] = [
  '/opt/homebrew/bin',
  '/opt/homebrew/sbin',
  '/opt/local/bin',
  '/Applications/Docker.app/Contents/Resources/bin',
];

const linuxDirs: readonly string[] = ['/home/linuxbrew/.linuxbrew/bin', '/snap/bin'];

/** The Node version that nvm would use by default, else its newest: never the oldest, which lacks `node:` modules. */
async function nvmDirs(home: string): Promise<readonly string[]> {
  const nvm = join(home, '.nvm');
  const versions = await readdir(join(nvm, 'versions', 'node')).catch(() => []);
  const wanted = await readFile(join(nvm, 'alias', 'default'), 'utf8').catch(() => '');
  const chosen = chooseNodeVersion(versions, wanted.trim());
  return chosen === undefined ? [] : [join(nvm, 'versions', 'node', chosen, 'bin')];
}

/** The newest of `versions` (`v20.1.0`) that starts with `wanted` (`20`, `v20.1`), else the newest of all. */
export function chooseNodeVersion(versions: readonly string[], wanted: string): string | undefined {
  const newestFirst = versions
    .filter((version) => /^v\d+\.\d+\.\d+$/.test(version))
    .sort((a, b) => compareVersions(b, a));
  const prefix = wanted.replace(/^v?/, 'v');
  return (
    newestFirst.find((version) => version === prefix || version.startsWith(`${prefix}.`)) ?? newestFirst[0]
  );
}

function compareVersions(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
