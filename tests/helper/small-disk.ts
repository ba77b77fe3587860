import { execFileSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir } from './temp-dir.ts';

/** Only root may mount a disk. */
export const canMount = process.platform === 'linux' && process.getuid?.() === 0;

export interface SmallDisk extends AsyncDisposable {
  readonly path: string;
  /** Takes all the room that is left. */
  fill(): void;
  /** Gives it back. */
  empty(): Promise<void>;
  /** Nothing can be written any more. */
  makeReadOnly(): void;
}

/** A disk of its own, unmounted at the end. */
export async function smallDisk(size = '64k'): Promise<SmallDisk> {
  const folder = await tempDir();
  const path = join(folder.path, 'disk');
  const ballast = join(path, 'ballast');
  await mkdir(path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  return {
    path,
    fill: () => writeUntilFull(ballast),
    empty: () => rm(ballast),
    makeReadOnly: () => void execFileSync('mount', ['-o', 'remount,ro', path]),
    async [Symbol.asyncDispose]() {
      // A process with an open file keeps the disk busy until it ends.
      execFileSync('umount', ['--lazy', path]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

function writeUntilFull(file: string): void {
  const handle = openSync(file, 'w');
  try {
    for (;;) writeSync(handle, Buffer.alloc(1024));
  } catch {
    // Full.
  } finally {
    closeSync(handle);
  }
}
