import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

/** A temporary folder that removes itself: `await using folder = await tempDir()`. */
export async function tempDir(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-test-'));
  const remove = () => rm(path, { recursive: true, force: true });
  // Windows holds the files of a program for a moment after its end.
  const dispose = process.platform === 'win32' ? () => eventually(remove, 30_000) : remove;
  return { path, [Symbol.asyncDispose]: dispose };
}
