import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import spawn from 'cross-spawn';
import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import { createLineFramer } from '../rpc/line-framer.ts';
import type { Transport } from '../rpc/transport.ts';
import { createStreamTransport } from '../transport/stream-transport.ts';
import type { ChildExit } from './failure-problem.ts';

export interface SpawnOptions {
  /** The file to run, already looked up. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** The folder as it may be shown. */
  readonly shownCwd: string;
  /** Lines of stderr; a line over the limit arrives cut. */
  readonly onStderr: (text: string) => void;
}

/** A child that runs; ending its whole tree is the business of whoever started it. */
export interface Child {
  readonly pid: number;
  readonly transport: Transport;
  readonly exited: Promise<ChildExit>;
  /** It has exited and all it wrote has been read; may never come where a stranger holds its output open. */
  readonly drained: Promise<void>;
  closeStdin(): void;
  /** Lets go of its output, which a surviving stranger may hold open. */
  release(): void;
}

/** Starts a program in its own process group, without a shell. Rejects with ProblemError `server.spawn_failed`. */
export async function spawnChild(options: SpawnOptions): Promise<Child> {
  await requireFolder(options);
  const child = start(options);
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  const drained = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const pid = await spawned(child, options);
  readStderr(child, options.onStderr);
  return {
    pid,
    transport: createStreamTransport({ readable: child.stdout, writable: child.stdin }),
    exited,
    drained,
    closeStdin: () => child.stdin.end(),
    release: () => {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    },
  };
}

async function requireFolder({ cwd, shownCwd }: SpawnOptions): Promise<void> {
  // The system reports a missing folder as if the command were missing.
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory()) return;
  const what = found === undefined ? 'does not exist' : 'is not a folder';
  const fix = 'Correct "cwd", or create the folder.';
  throw new ProblemError(
    problem('server.spawn_failed', `The working folder ${shownCwd} ${what}.`, fix, { folder: shownCwd }),
  );
}

function start({ file, args, env, cwd }: SpawnOptions): ChildProcessWithoutNullStreams {
  try {
    // The cast states what `stdio: 'pipe'` guarantees; the types of cross-spawn do not follow the option.
    return spawn(file, args, {
      cwd,
      env,
      stdio: 'pipe',
      windowsHide: true,
      // A process group of its own on POSIX; on Windows this would open a console window.
      detached: process.platform !== 'win32',
    }) as ChildProcessWithoutNullStreams;
  } catch (error) {
    throw spawnFailed(file, error);
  }
}

function spawned(child: ChildProcessWithoutNullStreams, { file }: SpawnOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('spawn', () => {
      if (child.pid === undefined) reject(spawnFailed(file, new Error('no process id')));
      else resolve(child.pid);
    });
    // Stays for good: a later error (a signal that cannot be sent) must not take the hub with it.
    child.on('error', (error) => reject(spawnFailed(file, error)));
  });
}

function spawnFailed(file: string, error: unknown): ProblemError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ProblemError(spawnProblem(file, reason), { cause: error });
}

function spawnProblem(file: string, reason: string): Problem {
  return problem(
    'server.spawn_failed',
    `The program ${file} could not be started: ${reason}`,
    'Check that the file may be run and is meant for this system.',
    { 'resolved file': file, error: reason },
  );
}

/** Reads on whatever happens, so that a full pipe never blocks the child. */
function readStderr(child: ChildProcessWithoutNullStreams, onStderr: (text: string) => void): void {
  const framer = createLineFramer({
    maxLineBytes: longestLine,
    line: onStderr,
    oversize: ({ size, head }) => onStderr(`${head} … (${size} bytes in this line)`),
  });
  child.stderr.on('data', (chunk: Buffer) => framer.push(chunk));
  child.stderr.on('end', () => framer.end());
  child.stderr.on('error', () => framer.end());
}

const longestLine = 8 * 1024;
