import { type Clock, delay } from '../../base/clock.ts';
import { askToClose } from '../../store/windows-processes.ts';
import { systemOf } from '../machine.ts';
import type { ClientRow } from '../table/client-row.ts';
import type { ListedProcess } from './process-list.ts';

export interface RunningClient {
  readonly pid: number;
  readonly name: string;
}

/** The processes of a client that were not started by another of them: those that quit when they are asked to. */
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
  readonly patience: number;
}

/** Asks a client to quit, as its own menu would, and waits; never by force. Resolves to whether it has. */
export async function quitClient({ platform, clock, running, patience }: QuitOptions): Promise<boolean> {
  for (const { pid } of await running()) await ask(platform, pid);
  const deadline = clock.now() + patience;
  for (;;) {
    if ((await running()).length === 0) return true;
    if (clock.now() >= deadline) return false;
    await delay(clock, 200);
  }
}

async function ask(platform: NodeJS.Platform, pid: number): Promise<void> {
  try {
    // Without /F it is asked to close; windows may ask the person in turn.
    if (platform === 'win32') await askToClose(pid);
    else process.kill(pid, 'SIGTERM');
  } catch {
    // It has gone, or does not listen: whether it runs is looked at anyway.
  }
}

function shortName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
