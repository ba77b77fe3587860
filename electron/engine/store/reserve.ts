import { randomBytes } from 'node:crypto';
import { rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import { type DataPaths, dataPaths, openDataDir } from './data-dir.ts';

export interface HubFolder {
  readonly paths: DataPaths;
  /** Set if the disk is full and the reserved space is in use. */
  readonly problem: Problem | undefined;
}

/**
 * Opens the data folder for a hub. On a full disk it uses the space that an earlier hub reserved; rejects as
 * {@link openDataDir} if there is none.
 */
export async function openHubFolder(dir: string): Promise<HubFolder> {
  try {
    return { paths: await openDataDir(dir), problem: undefined };
  } catch (error) {
    const isFull = error instanceof ProblemError && error.problem.code === 'hub.disk_full';
    if (!isFull || !(await releaseReserve(dir))) throw error;
    return { paths: await openDataDir(dir), problem: runsOnReserve(dir) };
  }
}

/** Reserves space for the next start if there is plenty; never rejects. */
export async function createReserve({ dir, run }: DataPaths): Promise<void> {
  try {
    const { bavail, bsize } = await statfs(run);
    // Random bytes cannot be compressed by the file system.
    if (bavail * bsize >= minFreeBytes)
      await writeFile(reserveFile(dir), randomBytes(reserveBytes), { mode: 0o600, flag: 'wx' });
  } catch {
    // Either the reserve already exists, or there is no room for one.
  }
}

async function releaseReserve(dir: string): Promise<boolean> {
  const file = reserveFile(dir);
  const isThere = (await stat(file).catch(() => undefined)) !== undefined;
  await rm(file, { force: true }).catch(() => undefined);
  return isThere;
}

function reserveFile(dir: string): string {
  return join(dataPaths(dir).run, 'reserve');
}

/** Enough for the small files that are written at startup. */
const reserveBytes = 256 * 1024;
const minFreeBytes = 2 * 1024 * 1024;

function runsOnReserve(dir: string): Problem {
  const sentence = `The disk of the data folder ${dir} is full. Patchbay is running, but may not be able to save changes.`;
  return problem('hub.disk_full', sentence, 'Free some space, then restart Patchbay.', { folder: dir });
}
