import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';
import { isWritableFolder } from '../../engine/engine.ts';

/**
 * Puts Chromium's own files into the data folder, which makes the app single-instance per data folder. If
 * that is not writable they go to the temporary folder, so that a window can still show what is wrong.
 */
export function setProfileFolder(app: Pick<App, 'setPath'>, dataDir: string): string {
  const wanted = join(dataDir, 'window');
  const folder = isWritableFolder(dataDir) && isWritableFolder(wanted) ? wanted : fallbackFolder(dataDir);
  app.setPath('userData', folder);
  app.setPath('sessionData', folder);
  return folder;
}

/** Returns the same folder each time, or a new one if another user has put something in its place. */
function fallbackFolder(dataDir: string): string {
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), `patchbay-window-${userInfo().uid}-${digest}`);
  return isOurs(folder) ? folder : mkdtempSync(join(tmpdir(), 'patchbay-window-'));
}

/** True if the folder is new, or only this user can have created and can enter it. */
function isOurs(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch {
    const found = lstatSync(folder, { throwIfNoEntry: false });
    const isPrivate =
      process.platform === 'win32' || (found?.uid === userInfo().uid && (found.mode & 0o077) === 0);
    return found?.isDirectory() === true && isPrivate;
  }
}
