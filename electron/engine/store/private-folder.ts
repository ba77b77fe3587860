import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Folder for what programs of this user without a data folder, or with a long one, leave for each other. */
export function sharedFolder(platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? join(tmpdir(), 'patchbay') : `/tmp/patchbay-${userInfo().uid}`;
}

/** Makes a folder; false where it is another user's, or a link leads to it. */
export async function makePrivate(folder: string): Promise<boolean> {
  await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
  const info = await lstat(folder).catch(() => undefined);
  if (info === undefined || !info.isDirectory()) return false;
  // Windows gives each user a folder for temporary files that others cannot enter.
  if (process.platform === 'win32') return true;
  if (info.uid !== process.getuid?.()) return false;
  if ((info.mode & 0o077) !== 0) await chmod(folder, 0o700);
  return true;
}
