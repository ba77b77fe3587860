import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import spawn from 'cross-spawn';
import { type Clock, delay } from '../../base/clock.ts';
import { killTree } from '../../store/windows-processes.ts';
import type { Command } from '../table/entry-shape.ts';

/** A program started by the words of an entry, as a client starts it. */
export interface ClientProcess {
  readonly pid: number;
  send(line: string): void;
  /** Closes its input, then tells it, then forces it and all it started; resolves to whether it has ended. */
  end(): Promise<boolean>;
}

export interface ClientProcessOptions {
  readonly command: Command;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly onLine: (line: string) => void;
  readonly onStderr: (text: string) => void;
  /** It has ended, or could not be started. */
  readonly onEnd: (reason: string) => void;
}

/** Rejects with the system's own error where it cannot be started at all. */
export async function startClientProcess(options: ClientProcessOptions): Promise<ClientProcess> {
  const { command, env, clock } = options;
  // The cast states what \`stdio: 'pipe'\` guarantees; the types of cross-spawn do not follow the option.
  const child = spawn(command.command, [...command.args], {
    env,
    stdio: 'pipe',
    windowsHide: true,
    detached: process.platform !== 'win32',
  }) as ChildProcessWithoutNullStreams;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  child.stdin.on('error', () => {});
  const pid = await spawned(child);
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
      for (const [signal, patience] of ladder) {
        if (signal !== undefined) await tell(child, pid, signal);
        await Promise.race([gone, delay(clock, patience)]);
        if (hasExited()) break;
      }
      // What it has left behind in its group. Nobody outlives this.
      await tell(child, pid, 'SIGKILL');
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      return hasExited();
    },
  };
}

/** What is done in turn, and for how many milliseconds it is given time to work. */
const ladder: readonly (readonly [NodeJS.Signals | undefined, number])[] = [
  [undefined, 2_000],
  ['SIGTERM', 1_000],
  ['SIGKILL', 1_000],
];

function spawned(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      child.off('error', reject);
      if (child.pid === undefined) reject(new Error('no process id'));
      else resolve(child.pid);
    });
  });
}

/** Cut at line feeds only, as the protocol says. */
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

/** The whole group: it is one of our own making. On Windows the pid of one that has exited may be a stranger's. */
async function tell(
  { exitCode, signalCode }: ChildProcessWithoutNullStreams,
  pid: number,
  signal: NodeJS.Signals,
): Promise<void> {
  try {
    if (process.platform !== 'win32') process.kill(-pid, signal);
    else if (exitCode === null && signalCode === null) await killTree(pid);
  } catch {
    // It has ended meanwhile.
  }
}
