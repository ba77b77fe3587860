import { type Clock, delay } from '../../base/clock.ts';
import { hasProcess } from '../../store/files/process-identity.ts';
import { askToClose } from '../../store/files/windows-processes.ts';
import { systemOf } from '../machine.ts';
import type { ClientRow } from '../table/client-row.ts';
import type { ListedProcess } from './process-list.ts';

export interface RunningClient {
  readonly pid: number;
  readonly name: string;
}

/** Returns the processes of a client that were not started by another one of it: these quit on request. */
export function runningClients(
  { processes }: ClientRow,
  platform: NodeJS.Platform,
  listed: readonly ListedProcess[],
): readonly RunningClient[] {
  const name = processes?.[systemOf(platform)];
  if (name === undefined) return [];
  const own = listed.filter(({ names }) => names.some((one) => name.test(one)));
  const pids = new Set(own.map(({ pid }) => pid));
  return own
    .filter(({ parent }) => !pids.has(parent))
    .map(({ pid, names }) => ({ pid, name: shortName(names.find((one) => name.test(one)) ?? '') }));
}

export interface QuitOptions {
  readonly platform: NodeJS.Platform;
  readonly clock: Clock;
  readonly running: () => Promise<readonly RunningClient[]>;
  /** Milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Asks a client to quit, as its own menu would, and waits; never uses force. Resolves to whether it has quit.
 */
export async function quitClient({ platform, clock, running, timeoutMs }: QuitOptions): Promise<boolean> {
  const asked = await running();
  for (const { pid } of asked) await requestQuit(platform, pid);
  // Each list of all processes starts a program on Windows.
  const isWaiting = () => platform === 'win32' && asked.some(({ pid }) => hasProcess(pid));
  const deadline = clock.now() + timeoutMs;
  for (;;) {
    if (!isWaiting() && (await running()).length === 0) return true;
    if (clock.now() >= deadline) return false;
    await delay(clock, 200);
  }
}

async function requestQuit(platform: NodeJS.Platform, pid: number): Promise<void> {
  try {
    // Without /F, taskkill asks the program to close; its windows may ask the user first.
    if (platform === 'win32') await askToClose(pid);
    else process.kill(pid, 'SIGTERM');
  } catch {
    // The client has exited or ignores the signal; the caller checks whether it still runs.
  }
}

function shortName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
