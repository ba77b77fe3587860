import { rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Moves a finished file or folder over another one, atomically. Rejects with the system's error if another
 * program keeps the old one open for more than two seconds; both are then unchanged.
 */
export function replaceFile(draft: string, file: string): Promise<void> {
  return whileHeld(() => rename(draft, file));
}

/** Removes a file, which may already be gone; retries as {@link replaceFile} does. */
export function removeFile(file: string): Promise<void> {
  return whileHeld(() => rm(file, { force: true }));
}

interface HeldOptions {
  readonly platform?: NodeJS.Platform;
  /** Waits for this many milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Retries a file operation for two seconds while Windows refuses it, because an indexer, a sync client or a
 * virus scanner has the file open. Other systems do not refuse for that reason, so there the first result
 * counts.
 */
export async function whileHeld<T>(
  operation: () => Promise<T>,
  { platform = process.platform, pause = (milliseconds) => sleep(milliseconds) }: HeldOptions = {},
): Promise<T> {
  if (platform !== 'win32') return operation();
  for (const milliseconds of pauses) {
    try {
      return await operation();
    } catch (error) {
      if (!isHeld(error)) throw error;
      await pause(milliseconds);
    }
  }
  return operation();
}

/** Milliseconds, about two seconds in total. */
const pauses: readonly number[] = [5, 10, 20, 40, 80, ...Array.from({ length: 18 }, () => 100)];

const heldCodes: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && heldCodes.has(error.code);
}
