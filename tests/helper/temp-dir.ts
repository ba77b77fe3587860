import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder that removes itself: `await using folder = await tempDir()`. */
export async function tempDir(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'patchbay-test-'));
  // Windows holds the files of a program for a moment after its end.
  const retries = process.platform === 'win32' ? { maxRetries: 20, retryDelay: 100 } : {};
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, ...retries }) };
}
