import type { Clock } from '../base/clock.ts';
import { ProcessSet, signalAll } from './process-set.ts';
import type { ProcessTables } from './process-tables.ts';
import { waitUntilGone } from './stop-ladder.ts';

export interface EndRunOptions {
  readonly clock: Clock;
  readonly processes: ProcessTables;
  /** Milliseconds to wait after SIGKILL. */
  readonly step: number;
}

/**
 * Kills everything that carries the process tag of a start with unknown pids, and repeats until nothing is
 * left.
 */
export async function endRun(runId: string, options: EndRunOptions, rounds = 5): Promise<void> {
  const { marked } = await options.processes.marked();
  const own = marked.filter(({ runs }) => runs.some(({ id }) => id === runId)).map(({ pid }) => pid);
  if (own.length === 0 || rounds === 0) return;
  const set = new ProcessSet();
  await set.add(own);
  signalAll(await set.living(), 'SIGKILL');
  await waitUntilGone(() => set.living(), options);
  await endRun(runId, options, rounds - 1);
}
