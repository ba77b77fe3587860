import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Problem } from '../../shared/error/problem.ts';
import { errorCode } from '../engine/store/atomic-file.ts';
import { type DataPaths, folderProblem } from '../engine/store/data-dir.ts';

export type FolderFinding =
  | { readonly kind: 'usable' }
  /** It will be made by the first hub. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'unusable'; readonly problem: Problem };

/** Whether a hub could work in the data folder; changes nothing. */
export async function examineFolder(paths: DataPaths): Promise<FolderFinding> {
  const { dir } = paths;
  try {
    const there = await nearestExisting(dir);
    await mustBeOpen(there);
    if (there === dir) for (const part of [paths.run, paths.logs]) await mustBeOpenIfThere(part);
    if (await isFull(there)) return unusable(dir, 'ENOSPC');
    return { kind: there === dir ? 'usable' : 'missing' };
  } catch (error) {
    return unusable(dir, errorCode(error) ?? String(error));
  }
}

function unusable(dir: string, code: string): FolderFinding {
  return { kind: 'unusable', problem: folderProblem(dir, code) };
}

/** The folder, or what it would be made in. */
async function nearestExisting(path: string): Promise<string> {
  const found = await stat(path).catch((error) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
  const parent = dirname(path);
  return found !== undefined || parent === path ? path : nearestExisting(parent);
}

async function mustBeOpenIfThere(folder: string): Promise<void> {
  if ((await nearestExisting(folder)) === folder) await mustBeOpen(folder);
}

/** With a slash at its end, a path of something that is no folder fails as one. */
async function mustBeOpen(folder: string): Promise<void> {
  await access(`${folder}/`, constants.R_OK | constants.W_OK | constants.X_OK);
}

async function isFull(folder: string): Promise<boolean> {
  const { bavail, bsize, files, ffree } = await statfs(folder);
  return bavail * bsize < leastRoom || (files > 0 && ffree === 0);
}

/** Bytes; what a hub writes at its start. */
const leastRoom = 64 * 1024;
