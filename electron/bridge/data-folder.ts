import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Problem } from '../../shared/error/problem.ts';
import { errorCode } from '../engine/store/atomic-file.ts';
import { type DataPaths, folderProblem } from '../engine/store/data-dir.ts';

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
    await requireAccess(existing);
    if (existing === dir) for (const part of [paths.run, paths.logs]) await requireAccessIfExists(part);
    if (await isFull(existing)) return unusable(dir, 'ENOSPC');
    return { kind: existing === dir ? 'usable' : 'missing' };
  } catch (error) {
    return unusable(dir, errorCode(error) ?? String(error));
  }
}

function unusable(dir: string, code: string): FolderFinding {
  return { kind: 'unusable', problem: folderProblem(dir, code) };
}

/** Returns the folder, or its nearest existing parent. */
async function nearestExisting(path: string): Promise<string> {
  const found = await stat(path).catch((error) => {
    if (errorCode(error) !== 'ENOENT') throw error;
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
