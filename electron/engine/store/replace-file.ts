import { rename, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Puts a finished file, or a folder, in the place of another as one step. Rejects with the system's own error when another
 * program keeps the old one open for longer than two seconds; both are then as they were.
 */
export function replaceFile(draft: string, file: string): Promise<void> {
  return whileHeld(() => rename(draft, file));
}

/** Removes a file that may be gone already, waiting as {@link replaceFile} does. */
export function removeFile(file: string): Promise<void> {
  return whileHeld(() => rm(file, { force: true }));
}

interface HeldOptions {
  readonly platform?: NodeJS.Platform;
  /** Waits so many milliseconds. */
  readonly pause?: (milliseconds: number) => Promise<unknown>;
}

/**
 * Tries an operation on a file again, for two seconds, while Windows refuses it: an indexer, a sync client or a virus
 * scanner has the file open for a moment. Other systems refuse nothing for that, so their first answer stands.
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

/** Milliseconds, about two seconds in all. */
const pauses: readonly number[] = [5, 10, 20, 40, 80, ...Array.from({ length: 18 }, () => 100)];

const heldCodes: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);

function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && heldCodes.has(error.code);
}
