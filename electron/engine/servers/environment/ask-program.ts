import { type ChildProcess, spawn } from 'node:child_process';
import { killTree } from '../../store/files/windows-processes.ts';
import { sendSignal } from '../process/tree/process-set.ts';

export interface ProgramOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Milliseconds, after which it is killed with everything it started. */
  readonly timeout: number;
}

export interface ProgramOutput {
  /** Absent if it was ended by a signal or by the timeout. */
  readonly code?: number;
  /** Beginning of its output. */
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program for a short answer, without a shell and without input. Resolves with undefined if it cannot
 * be run.
 */
export function runForOutput(options: ProgramOptions): Promise<ProgramOutput | undefined> {
  const { file, args, env, cwd, timeout } = options;
  return new Promise((resolve) => {
    // A process group of its own, so that anything it leaves running is killed with it.
    const child = spawn(file, args, {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    // Streams are missing when no files can be opened; an error follows.
    if (child.pid === undefined) {
      child.on('error', () => resolve(undefined));
      return;
    }
    const [stdout, stderr] = [beginningOf(child.stdout), beginningOf(child.stderr)];
    const finish = (answer: ProgramOutput | undefined) => {
      clearTimeout(timer);
      endGroup(child);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish({ stdout: stdout(), stderr: stderr() }), timeout);
    child.on('error', () => finish(undefined));
    // Remaining output arrives within the next turns. A descendant may keep the pipes open forever.
    child.on('exit', (code) => {
      const answer = () => ({ stdout: stdout(), stderr: stderr(), ...(code === null ? {} : { code }) });
      child.on('close', () => finish(answer()));
      setTimeout(() => finish(answer()), drainMs).unref();
    });
  });
}

/** Milliseconds. */
const drainMs = 200;

/** Keeps reading after the limit, so that a full pipe never blocks the program. */
function beginningOf(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < maxOutputLength) text = (text + chunk).slice(0, maxOutputLength);
  });
  return () => text;
}

const maxOutputLength = 4096;

/** On Windows, the pid of an exited process may have been reused. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || pid <= 1) return;
  if (process.platform !== 'win32') sendSignal(-pid, 'SIGKILL');
  else if (exitCode === null && signalCode === null) void killTree(pid);
}
