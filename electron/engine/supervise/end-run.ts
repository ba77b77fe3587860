import type { Clock } from '../base/clock.ts';
import { ProcessSet, signalAll } from './process-set.ts';
import type { ProcessTables } from './process-tables.ts';
import { waitUntilGone } from './stop-ladder.ts';

export interface KillOptions {
  readonly clock: Clock;
  readonly processes: ProcessTables;
  /** Milliseconds to wait after SIGKILL. */
  readonly step: number;
}

/**
 * Kills everything that carries the process tag of a start with unknown pids, and repeats until nothing is
 * left.
 */
export async function killTagged(tagId: string, options: KillOptions, rounds = 5): Promise<void> {
  const { tagged } = await options.processes.tagged();
  const own = tagged.filter(({ tags: runs }) => runs.some(({ id }) => id === tagId)).map(({ pid }) => pid);
  if (own.length === 0 || rounds === 0) return;
  const set = new ProcessSet();
  await set.add(own);
  signalAll(await set.living(), 'SIGKILL');
  await waitUntilGone(() => set.living(), options);
  await killTagged(tagId, options, rounds - 1);
}
