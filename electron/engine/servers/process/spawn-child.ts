import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import spawn from 'cross-spawn';
import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { Transport } from '../../jsonrpc/transport.ts';
import { createStreamTransport } from '../../transport/stdio/stream-transport.ts';
import type { ChildExit } from '../lifecycle/diagnosis/child-facts.ts';
import { notExecutable } from '../lifecycle/diagnosis/machine.ts';
import { isBatchFile, resolveBatchStart } from './batch-file.ts';
import { createPacedLines } from './paced-lines.ts';
import type { Program } from './program.ts';

export interface SpawnOptions {
  readonly program: Program;
  /** Folder in a form that is safe to show. */
  readonly shownCwd: string;
  /** Called with each line of stderr; long lines are cut. */
  readonly onStderr: (text: string) => void;
}

/** A running child. Ending its process tree is the caller's task. */
export interface Child {
  readonly pid: number;
  readonly transport: Transport;
  readonly exited: Promise<ChildExit>;
  /** See {@link StartedProcess.drained}. */
  readonly drained: Promise<void>;
  closeStdin(): void;
  /** Releases its output, which an unrelated process may keep open. */
  release(): void;
}

/**
 * Starts a program that communicates over its standard streams. Rejects with ProblemError
 * `server.spawn_failed`.
 */
export async function spawnChild(options: SpawnOptions): Promise<Child> {
  await requireFolder(options);
  const { pid, stdin, stdout, stderr, exited, drained } = await startProgram(options);
  readStderr(stderr, options.onStderr);
  return {
    pid,
    transport: createStreamTransport({ readable: stdout, writable: stdin, speaker: 'server' }),
    exited,
    drained,
    closeStdin: () => stdin.end(),
    release: () => {
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
    },
  };
}

async function requireFolder({ program: { cwd }, shownCwd }: SpawnOptions): Promise<void> {
  // The system reports a missing folder like a missing command.
  const found = await stat(cwd).catch(() => undefined);
  if (found?.isDirectory()) return;
  const what = found === undefined ? 'does not exist' : 'is not a folder';
  const fix = 'Fix "cwd", or create the folder.';
  throw new ProblemError(
    problem('server.spawn_failed', `The working folder ${shownCwd} ${what}.`, fix, { folder: shownCwd }),
  );
}

async function startProgram({ program }: SpawnOptions): Promise<StartedProcess> {
  try {
    return await startProcess(program);
  } catch (error) {
    throw new ProblemError(spawnProblem(program.file, error), { cause: error });
  }
}

function spawnProblem(file: string, error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error);
  const evidence = { 'resolved file': file, error: reason };
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EACCES') {
    const { sentence, fix, ...cause } = notExecutable(file);
    return { ...problem('server.spawn_failed', sentence, fix, evidence), cause };
  }
  const shortage = shortages.get(String(code));
  if (shortage !== undefined) return problem('server.spawn_failed', ...shortage, evidence);
  const isForeign = code === 'ENOEXEC' || code === 'EFTYPE';
  // The file was found, so the interpreter in its first line is missing.
  const lacksInterpreter = code === 'ENOENT';
  const sentence = isForeign
    ? `${file} is not built for this system.`
    : lacksInterpreter
      ? `The program that ${file} names in its first line is missing.`
      : `${file} could not be started: ${reason}`;
  const fix = isForeign
    ? 'Install the version for this system.'
    : lacksInterpreter
      ? 'Install that program, or fix the first line of the file.'
      : 'Check that the file is executable and built for this system.';
  return problem('server.spawn_failed', sentence, fix, evidence);
}

type Shortage = readonly [sentence: string, fix: string];

const tooManyFiles: Shortage = [
  'Patchbay has too many files open to start another program.',
  'Turn off servers that you do not need, or raise the limit of open files (ulimit -n) and restart Patchbay.',
];

/** Faults of the machine, not of the program, with what to do about them. */
const shortages: ReadonlyMap<string, Shortage> = new Map<string, Shortage>([
  ['EMFILE', tooManyFiles],
  ['ENFILE', tooManyFiles],
  [
    'EAGAIN',
    [
      'There are too many processes to start another one.',
      'Close other programs, or raise the limit of processes (ulimit -u) and restart Patchbay.',
    ],
  ],
  ['ENOMEM', ['There is too little memory to start another program.', 'Close other programs.']],
]);

/** Keeps reading in any case, so that a full pipe never blocks the child. */
function readStderr(stderr: Readable, onStderr: (text: string) => void): void {
  const lines = createPacedLines(onStderr);
  stderr.on('data', (chunk: Buffer) => lines.push(chunk));
  stderr.on('end', () => lines.end());
  stderr.on('error', () => lines.end());
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
  // A program that could not be started may have no streams, when no files can be opened.
  const pid = await spawned(child);
  const { stdin, stdout, stderr } = child;
  keepUntilRead(stdout);
  keepUntilRead(stderr);
  return { pid, stdin, stdout, stderr, exited, drained };
}

/**
 * Keeps output until somebody reads it. Node discards what is unread when a program exits, which would be the
 * reason why it did.
 */
function keepUntilRead(stream: Readable): void {
  const keep = () => {};
  const onListener = (event: string | symbol) => {
    if (event !== 'data') return;
    stream.off('newListener', onListener);
    stream.off('readable', keep);
  };
  stream.on('readable', keep);
  stream.on('newListener', onListener);
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
