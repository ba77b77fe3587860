import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Reads files of /proc synchronously: they are generated in memory, so that an asynchronous read would cost
 * far more.
 */
export type ProcReader = (path: string) => string | undefined;

/**
 * Creates a reader for files up to `size` bytes; a longer file is cut off. All reads use one small buffer,
 * whereas `readFile` allocates 64 KiB for a file of unknown length. The result is undefined if the file does
 * not exist, or its process ends during the read.
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

/** Larger than any `stat` file, which holds about fifty numbers. */
export const statSize = 2 * 1024;

function readInto(buffer: Buffer, path: string): string {
  const file = openSync(path, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(file);
  }
}
