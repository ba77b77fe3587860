import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Returns the folder for files shared by this user's programs that have no data folder, or one with a long
 * path.
 */
export function userTempFolder(platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? join(tmpdir(), 'patchbay') : `/tmp/patchbay-${userInfo().uid}`;
}

/** Creates a folder; returns false if it belongs to another user or is a link. */
export async function makePrivateFolder(folder: string): Promise<boolean> {
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
  const info = await lstat(folder).catch(() => undefined);
  if (info === undefined || !info.isDirectory()) return false;
  // Windows gives each user a private folder for temporary files.
  if (process.platform === 'win32') return true;
  if (info.uid !== process.getuid?.()) return false;
  if ((info.mode & 0o077) !== 0) await chmod(folder, 0o700);
  return true;
}

/** Creates a private folder if there is none; returns whether files can be written to it. */
export function isWritableFolder(folder: string): boolean {
  try {
    makeFolder(folder);
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates a private folder and its parents. Node's recursive mkdir hangs where nothing can be created, for example
 * below /proc.
 */
export function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (!existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
