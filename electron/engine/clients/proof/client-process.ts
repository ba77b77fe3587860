import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import spawn from 'cross-spawn';
import { type Clock, delay } from '../../base/clock.ts';
import { killTree } from '../../store/files/windows-processes.ts';
import type { Command } from '../table/entry-shape.ts';

/** A process started from an entry, as a client starts it. */
export interface ClientProcess {
  readonly pid: number;
  send(line: string): void;
  /**
   * Closes its input, then signals it, then kills it and its process group; resolves to whether it has
   * exited.
   */
  end(): Promise<boolean>;
}

export interface ClientProcessOptions {
  readonly command: Command;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly onLine: (line: string) => void;
  readonly onStderr: (text: string) => void;
  /** Called when the process has exited or could not be started. */
  readonly onEnd: (reason: string) => void;
}

/** Rejects with the system's error if the process cannot be started. */
export async function startClientProcess(options: ClientProcessOptions): Promise<ClientProcess> {
  const { command, env, clock } = options;
  // The types of cross-spawn do not reflect `stdio: 'pipe'`, hence the cast.
  const child = spawn(command.command, [...command.args], {
    env,
    stdio: 'pipe',
    windowsHide: true,
    detached: process.platform !== 'win32',
  }) as ChildProcessWithoutNullStreams;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  const pid = await waitForSpawn(child);
  child.stdin.on('error', () => {});
  child.on('error', ({ message }) => options.onEnd(message));
  child.on('exit', (code, signal) =>
    options.onEnd(signal === null ? `exit code ${code}` : `signal ${signal}`),
  );
  readLines(child, options.onLine);
  child.stderr.setEncoding('utf8').on('data', options.onStderr);
  return {
    pid,
    send: (line) => void child.stdin.write(`${line}\n`),
    async end() {
      child.stdin.end();
      for (const [signal, timeoutMs] of stopSteps) {
        if (signal !== undefined) await signalGroup(child, pid, signal);
        await Promise.race([exited, delay(clock, timeoutMs)]);
        if (hasExited()) break;
      }
      // Kills any process left in its group.
      await signalGroup(child, pid, 'SIGKILL');
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      return hasExited();
    },
  };
}

/** The signals in order, each with the milliseconds to wait for its effect. */
const stopSteps: readonly (readonly [NodeJS.Signals | undefined, number])[] = [
  [undefined, 2_000],
  ['SIGTERM', 1_000],
  ['SIGKILL', 1_000],
];

function waitForSpawn(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      child.off('error', reject);
      if (child.pid === undefined) reject(new Error('no process id'));
      else resolve(child.pid);
    });
  });
}

/** Splits at line feeds only, as the protocol requires. */
function readLines(child: ChildProcessWithoutNullStreams, onLine: (line: string) => void): void {
  let rest = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let at = rest.indexOf(0x0a); at !== -1; at = rest.indexOf(0x0a)) {
      onLine(rest.subarray(0, at).toString('utf8'));
      rest = rest.subarray(at + 1);
    }
  });
}

/**
 * Signals the whole process group, which is our own. On Windows the pid of an exited process may have been
 * reused.
 */
async function signalGroup(
  { exitCode, signalCode }: ChildProcessWithoutNullStreams,
  pid: number,
  signal: NodeJS.Signals,
): Promise<void> {
  try {
    if (process.platform !== 'win32') process.kill(-pid, signal);
    else if (exitCode === null && signalCode === null) await killTree(pid);
  } catch {
    // The process has exited in the meantime.
  }
}
