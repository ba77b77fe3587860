import { rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Moves a finished file or folder over another one, atomically. Rejects with the system's error if another
 * program keeps the old one open for more than two seconds; both are then unchanged.
 */
export function replaceFile(draft: string, file: string): Promise<void> {
  return retryWhileLocked(() => rename(draft, file));
}

/** Removes a file, which may already be gone; retries as {@link replaceFile} does. */
export function removeFile(file: string): Promise<void> {
  return retryWhileLocked(() => rm(file, { force: true }));
}

interface RetryOptions {
  readonly platform?: NodeJS.Platform;
  /** Waits for this many milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Retries a file operation for two seconds while Windows refuses it, because an indexer, a sync client or a
 * virus scanner has the file open. Other systems do not refuse for that reason, so there the first result
 * counts.
 */
export async function retryWhileLocked<T>(
  operation: () => Promise<T>,
  { platform = process.platform, pause = (milliseconds) => sleep(milliseconds) }: RetryOptions = {},
): Promise<T> {
  if (platform !== 'win32') return operation();
  for (const milliseconds of retryDelaysMs) {
    try {
      return await operation();
    } catch (error) {
      if (!isLocked(error)) throw error;
      await pause(milliseconds);
    }
  }
  return operation();
}

/** Milliseconds, about two seconds in total. */
const retryDelaysMs: readonly number[] = [5, 10, 20, 40, 80, ...Array.from({ length: 18 }, () => 100)];

const lockedCodes: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

/** Checks whether Windows has refused an operation because a program has the file open. */
export function isLocked(error: unknown): boolean {
  return error instanceof Error && 'code' in error && lockedCodes.has(error.code);
}
