import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { type Clock, delay } from '../base/clock.ts';
import { SerialQueue } from '../base/queue.ts';
import { claimFile, ownClaim, type ProcessClaim, readClaim } from './claim-file.ts';
import { removeFile } from './replace-file.ts';

/** Runs one task at a time, among all processes that lock the same file. */
export interface FileLock {
  /**
   * Resolves or rejects with the task's own outcome; rejects with ProblemError `hub.busy` if the lock does
   * not become free.
   */
  run<T>(task: () => Promise<T>): Promise<T>;
}

export interface FileLockOptions {
  /** Exists only while the lock is held; its folder must exist. The lock of a dead process counts as free. */
  readonly file: string;
  readonly clock: Clock;
  /** Milliseconds to wait for another process. */
  readonly timeoutMs?: number;
}

export function createFileLock({ file, clock, timeoutMs: wait = 30_000 }: FileLockOptions): FileLock {
  const queue = new SerialQueue();
  // Computed once, because some systems need to start a program for it.
  let claim: Promise<ProcessClaim> | undefined;

  async function runLocked<T>(task: () => Promise<T>): Promise<T> {
    claim ??= ownClaim();
    await acquire(file, await claim, clock, wait);
    try {
      return await task();
    } finally {
      await removeFile(file);
    }
  }

  return { run: (task) => queue.run(() => runLocked(task)) };
}

const pollMs = 20;

async function acquire(file: string, claim: ProcessClaim, clock: Clock, wait: number): Promise<void> {
  const deadline = clock.uptime() + wait;
  while (!(await claimFile(file, claim))) {
    if (clock.uptime() >= deadline) throw await busyProblem(file);
    await delay(clock, pollMs);
  }
}

async function busyProblem(file: string): Promise<ProblemError> {
  const owner = await readClaim(file);
  const sentence = 'Another Patchbay is holding the lock of this data folder.';
  const fix = 'Wait a moment and try again. If it keeps happening, end the process shown below.';
  return new ProblemError(problem('hub.busy', sentence, fix, { file, pid: owner?.pid }));
}
