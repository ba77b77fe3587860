import { accessSync, constants, mkdirSync } from 'node:fs';

/** Creates a private folder if there is none; returns whether files can be written to it. */
export function isWritableFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
