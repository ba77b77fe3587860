import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { isBatchFile, resolveBatchStart } from './batch-file.ts';
import type { ChildExit } from './failure-problem.ts';

/** Program to start, with arguments, environment and folder. */
export interface Program {
  /** File to run, already found. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A running process in its own process group (POSIX). */
export interface StartedProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<ChildExit>;
  /**
   * Resolves when it has exited and all output has been read; possibly never, if an unrelated process keeps
   * its output open.
   */
  readonly drained: Promise<void>;
}

/** Starts a program as a child of this one, without a shell. Rejects, or throws, with the system's error. */
export async function startProcess(program: Program): Promise<StartedProcess> {
  const { env, cwd } = program;
  const isBatch = process.platform === 'win32' && isBatchFile(program.file);
  const { file, args, verbatim } = isBatch
    ? await resolveBatchStart(program)
    : { ...program, verbatim: false };
  // The cast states what `stdio: 'pipe'` guarantees; the types of cross-spawn do not depend on the option.
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: 'pipe',
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
    // A process group of its own on POSIX; on Windows this would open a console window.
    detached: process.platform !== 'win32',
  }) as ChildProcessWithoutNullStreams;
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const { stdin, stdout, stderr } = child;
  return { pid: await spawned(child), stdin, stdout, stderr, exited, drained };
}

function spawned(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => {
      if (child.pid === undefined) reject(new Error('no process id'));
      else resolve(child.pid);
    });
    // Kept for good: a later error (a signal that cannot be sent) must not crash the hub.
    child.on('error', reject);
  });
}
