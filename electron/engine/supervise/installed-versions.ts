import { readdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { inspectProgram } from './program-file.ts';
import type { VersionManager } from './version-managers.ts';

/** A program of one of the versions that a manager keeps. */
export interface InstalledProgram {
  readonly file: string;
  readonly manager: string;
  /** By the name of its folder. */
  readonly version: string;
}

/** The programs of this name in all versions that managers keep, on PATH or not: a manager's newest first. */
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
        folders.slice(0, most).map((folder) => look(join(root, folder), folder, manager, name)),
      );
    }),
  );
  return found.flatMap((programs) =>
    programs
      .filter((one) => one !== undefined)
      .sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true })),
  );
}

/** More versions than anybody keeps on purpose. */
const most = 50;

async function look(
  folder: string,
  place: string,
  manager: VersionManager,
  name: string,
): Promise<InstalledProgram | undefined> {
  const file = join(folder, name);
  if (!isAbsolute(file) || (await inspectProgram(file)).kind !== 'program') return undefined;
  return { file, manager: manager.name, version: versionOf(place, manager) };
}

/** What stands for `*` in the folder: `node 22.1.0`, `v20.11.1`. */
function versionOf(place: string, { versions = '' }: VersionManager): string {
  const pattern = versions.split(/[\\/]/);
  return place
    .split(/[\\/]/)
    .filter((_, index) => pattern[index] === '*')
    .join(' ');
}

/** The folders below `root` that a pattern means, relative to it. */
async function expandPattern(root: string, [part, ...rest]: readonly string[]): Promise<readonly string[]> {
  if (part === undefined) return [''];
  const names = part === '*' ? await readdir(root).catch(() => []) : [part];
  const below = await Promise.all(
    names.map(async (name) => (await expandPattern(join(root, name), rest)).map((path) => join(name, path))),
  );
  return below.flat();
}
