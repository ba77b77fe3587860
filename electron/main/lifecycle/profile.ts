import { createHash } from 'node:crypto';
import { accessSync, constants, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';

/**
 * Puts Chromium's own files into the data folder, which makes the single instance one per data folder. Where that
 * cannot be written they go to the temporary folder, so that a window can still say what is wrong.
 */
export function placeProfile(app: Pick<App, 'setPath'>, dataDir: string): string {
  const wanted = join(dataDir, 'window');
  const folder = makeFolder(dataDir) && makeFolder(wanted) ? wanted : spareFolder(dataDir);
  makeFolder(folder);
  app.setPath('userData', folder);
  app.setPath('sessionData', folder);
  return folder;
}

function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function spareFolder(dataDir: string): string {
  const digest = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return join(tmpdir(), `patchbay-window-${userInfo().username}-${digest}`);
}
