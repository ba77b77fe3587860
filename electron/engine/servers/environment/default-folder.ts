import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';

/**
 * Returns the working directory of servers that set none: the home folder, or the temporary folder if there
 * is no home (for example in a container).
 */
export function defaultFolder(): string {
  const home = homedir();
  return existsSync(home) ? home : tmpdir();
}

/** Returns the working directory of this program, or the default folder if it was deleted meanwhile. */
export function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return defaultFolder();
  }
}
