import { type ChildProcess, spawn } from 'node:child_process';
import { killTree } from '../store/windows-processes.ts';
import { sendSignal } from './process-set.ts';

export interface ProgramQuestion {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Milliseconds; then it is killed with all it started. */
  readonly timeout: number;
}

export interface ProgramAnswer {
  /** Absent where a signal or our patience ended it. */
  readonly code?: number;
  /** The beginning of what it wrote. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program for its few words, without a shell and with nothing to read; undefined if it cannot be run. */
export function askProgram(question: ProgramQuestion): Promise<ProgramAnswer | undefined> {
  const { file, args, env, cwd, timeout } = question;
  return new Promise((resolve) => {
    // A group of its own, which ends with it whatever it leaves running.
    const child = spawn(file, args, {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    const [stdout, stderr] = [beginningOf(child.stdout), beginningOf(child.stderr)];
    const finish = (answer: ProgramAnswer | undefined) => {
      clearTimeout(timer);
      endGroup(child);
      for (const stream of [child.stdout, child.stderr]) stream.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => finish({ stdout: stdout(), stderr: stderr() }), timeout);
    child.on('error', () => finish(undefined));
    // What is left in its pipes when it exits comes with the next turns; a child of it may hold them open for ever.
    child.on('exit', (code) => {
      const answer = () => ({ stdout: stdout(), stderr: stderr(), ...(code === null ? {} : { code }) });
      child.on('close', () => finish(answer()));
      setTimeout(() => finish(answer()), lastWords).unref();
    });
  });
}

/** Milliseconds. */
const lastWords = 200;

/** Reads on after the beginning, so that a full pipe blocks nobody. */
function beginningOf(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < longest) text = (text + chunk).slice(0, longest);
  });
  return () => text;
}

const longest = 4096;

/** On Windows the pid of one that has exited may be a stranger's. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || pid <= 1) return;
  if (process.platform !== 'win32') sendSignal(-pid, 'SIGKILL');
  else if (exitCode === null && signalCode === null) void killTree(pid);
}
