import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { inspectProgram } from './program-file.ts';
import type { VersionManager } from './version-managers.ts';

/** A program of one version that a version manager has installed. */
export interface InstalledProgram {
  readonly file: string;
  readonly manager: string;
  /** Version, taken from the name of its folder. */
  readonly version: string;
}

/** Finds a program in all versions that managers have installed, on PATH or not, newest first per manager. */
export async function installedPrograms(
  managers: readonly VersionManager[],
  name: string,
): Promise<readonly InstalledProgram[]> {
  const places = managers.flatMap((manager) =>
    manager.versions === undefined
      ? []
      : manager.roots.map((root) => ({ manager, root, pattern: manager.versions ?? '' })),
  );
  const found = await Promise.all(
    places.map(async ({ manager, root, pattern }) => {
      const folders = await expandPattern(root, pattern.split(/[\\/]/));
      return Promise.all(
        folders
          .slice(0, maxVersions)
          .map((folder) => inspectVersion(join(root, folder), folder, manager, name)),
      );
    }),
  );
  return found.flatMap((programs) =>
    programs
      .filter((one) => one !== undefined)
      .sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true })),
  );
}

/** Max versions per manager; nobody has more on purpose. */
const maxVersions = 50;

async function inspectVersion(
  folder: string,
  path: string,
  manager: VersionManager,
  name: string,
): Promise<InstalledProgram | undefined> {
  const file = join(folder, name);
  if (!isAbsolute(file) || (await inspectProgram(file)).kind !== 'program') return undefined;
  return { file, manager: manager.name, version: versionOf(path, manager) };
}

/** Returns the folder names matched by `*`: `node 22.1.0`, `v20.11.1`. */
function versionOf(path: string, { versions = '' }: VersionManager): string {
  const pattern = versions.split(/[\\/]/);
  return path
    .split(/[\\/]/)
    .filter((_, index) => pattern[index] === '*')
    .join(' ');
}

/** Expands a pattern into folders below `root`, relative to it. */
async function expandPattern(root: string, [part, ...rest]: readonly string[]): Promise<readonly string[]> {
  if (part === undefined) return [''];
  const names = part === '*' ? await readdir(root).catch(() => []) : [part];
  const below = await Promise.all(
    names.map(async (name) => (await expandPattern(join(root, name), rest)).map((path) => join(name, path))),
  );
  return below.flat();
}
