import { closeSync, openSync, readSync } from 'node:fs';

/** Reads files of /proc, one at a time: they are made up in memory, so that asking a thread for them costs far more. */
export type ProcReader = (path: string) => string | undefined;

/**
 * A reader of files up to `size` bytes; of a longer one, its beginning. All go through one small buffer, where
 * `readFile`, which cannot know their length, takes 64 KiB for each. The result is undefined where there is no such
 * file, or its process ends meanwhile.
 */
export function createProcReader(size: number): ProcReader {
  const buffer = Buffer.allocUnsafeSlow(size);
  return (path) => {
    try {
      return readInto(buffer, path);
    } catch {
      return undefined;
    }
  };
}

/** More than a `stat` ever is: some fifty numbers. */
export const statSize = 2 * 1024;

function readInto(buffer: Buffer, path: string): string {
  const file = openSync(path, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file);
  }
}
