import { constants, existsSync, type FSWatcher, watch } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Problem } from '../../shared/error/problem.ts';
import type { Disposable } from '../engine/base/emitter.ts';
import { errorCode } from '../engine/store/files/atomic-file.ts';
import { type DataPaths, folderProblem } from '../engine/store/files/data-dir.ts';

/**
 * Returns the value in a file of ours; undefined if it is missing or unreadable, because every such file has
 * a fallback.
 */
export async function readJsonFile(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}

export type FolderFinding =
  | { readonly kind: 'usable' }
  /** The first hub will create it. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly problem: Problem };

/** Checks whether a hub could use the data folder; changes nothing. */
export async function examineFolder(paths: DataPaths): Promise<FolderFinding> {
  const { dir } = paths;
  try {
    const existing = await nearestExisting(dir);
    if (!(await stat(existing)).isDirectory()) return unusable(dir, 'EEXIST', existing);
    await requireAccess(existing);
    if (existing === dir) for (const part of [paths.run, paths.logs]) await requireAccessIfExists(part);
    if (await isFull(existing)) return unusable(dir, 'ENOSPC');
    return { kind: existing === dir ? 'usable' : 'missing' };
  } catch (error) {
    return unusable(dir, errorCode(error) ?? String(error));
  }
}

function unusable(dir: string, code: string, path = dir): FolderFinding {
  return { kind: 'unusable', problem: folderProblem(dir, code, path) };
}

/** Returns the folder, or its nearest existing parent, which may be a file: only Windows says then that it is missing. */
async function nearestExisting(path: string): Promise<string> {
  const found = await stat(path).catch((error) => {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
  });
  const parent = dirname(path);
  return found !== undefined || parent === path ? path : nearestExisting(parent);
}

async function requireAccessIfExists(folder: string): Promise<void> {
  if ((await nearestExisting(folder)) === folder) await requireAccess(folder);
}

/** A trailing slash makes this fail for anything but a folder. */
async function requireAccess(folder: string): Promise<void> {
  await access(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
}

async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  return bavail * bsize < minFreeBytes || (files > 0 && ffree === 0);
}

/** Bytes that a hub writes at startup. */
const minFreeBytes = 64 * 1024;

/**
 * Calls `onSign` when a hub of this data folder may have started: its record or socket changed, or their
 * folder was created. Returns undefined if nothing can be watched, which leaves only polling. Calls `onLost`
 * if watching fails later.
 */
export function watchForHub(
  paths: Pick<DataPaths, 'dir' | 'run' | 'hub' | 'socket'>,
  onSign: () => void,
  onLost: () => void,
): Disposable | undefined {
  let watcher: FSWatcher | undefined;

  function follow(): void {
    watcher?.close();
    const { folder, signs } = watchTargetFor(paths);
    watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name !== null && !signs.includes(name)) return;
      if (folder !== paths.run) attempt();
      onSign();
    });
    watcher.on('error', lose);
    // A folder made since the choice, before this watch began, is not reported.
    if (watchTargetFor(paths).folder !== folder) {
      follow();
      onSign();
    }
  }

  function attempt(): boolean {
    try {
      follow();
      return true;
    } catch {
      lose();
      return false;
    }
  }

  function lose(): void {
    watcher?.close();
    onLost();
  }

  return attempt() ? { dispose: () => watcher?.close() } : undefined;
}

interface WatchTarget {
  readonly folder: string;
  readonly signs: readonly string[];
}

/** Chooses the folder that a hub writes to, or the one in which it would be created. */
function watchTargetFor({ dir, run, hub, socket }: Parameters<typeof watchForHub>[0]): WatchTarget {
  if (existsSync(run)) return { folder: run, signs: [basename(hub), basename(socket)] };
  if (existsSync(dir)) return { folder: dir, signs: [basename(run)] };
  return { folder: dirname(dir), signs: [basename(dir)] };
}
