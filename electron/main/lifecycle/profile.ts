import { accessSync, constants, mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from 'electron';

/**
 * Puts Chromium's own files into the data folder, which makes the single instance one per data folder. Where that
 * cannot be written they go to a new temporary folder, so that a window can still say what is wrong.
 */
export function placeProfile(app: Pick<App, 'setPath'>, dataDir: string): string {
  const wanted = join(dataDir, 'window');
  const folder = makeFolder(dataDir) && makeFolder(wanted) ? wanted : spareFolder();
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

/** A new one each time: a name that can be guessed could be somebody else's folder. */
function spareFolder(): string {
  return mkdtempSync(join(tmpdir(), 'patchbay-window-'));
}
