import { processIdentity } from '../store/process-identity.ts';
import type { ContainerRecord } from './container-record.ts';
import { type MarkedProcess, readMarked } from './process-marks.ts';
import { type EndSignal, ProcessSet, signalAll } from './process-set.ts';
import { lineage, type ProcessTable } from './process-table.ts';
import type { ReapOptions } from './reap-leftovers.ts';
import { killMs, waitUntilGone } from './stop-ladder.ts';
import { strayContainers } from './stray-containers.ts';

/**
 * Ends what the servers of killed hubs and commands left running: processes whose tag names an owner that no
 * longer lives. Resolves with the pids that could not be ended. The callback receives the containers they started,
 * which do not end with them, and is awaited before anything is signalled.
 */
export async function reapStrays(
  options: ReapOptions,
  adopt: (containers: readonly ContainerRecord[]) => Promise<void>,
): Promise<readonly number[]> {
  // Windows hides the environment, and with it the tags.
  if (process.platform === 'win32') return [];
  const strays = await findStrays(options);
  if (strays.length === 0) return [];
  options.logger.log('warn', 'Ending processes that servers of an earlier run left behind', { pids: strays });
  await adopt(strayContainers(strays));
  await end(strays, 'SIGTERM', options);
  return force(options);
}

/** Repeats, since a process that is being ended may have started another. */
async function force(options: ReapOptions, rounds = 5): Promise<readonly number[]> {
  const strays = await findStrays(options);
  if (strays.length === 0) return [];
  const left = await end(strays, 'SIGKILL', { ...options, step: Math.max(options.step, killMs) });
  return left.length > 0 || rounds === 1 ? left : force(options, rounds - 1);
}

async function findStrays({ processes }: ReapOptions): Promise<readonly number[]> {
  const table = await processes.now();
  const above = lineage(table, process.pid);
  const marked = (await readMarked(table)).filter(({ pid }) => !above.has(pid));
  const orphaned = await Promise.all(marked.map((candidate) => isOrphaned(candidate, table)));
  return marked.filter((_, index) => orphaned[index]).map(({ pid }) => pid);
}

/** Only the innermost owner counts: what the servers of a nested hub started is for that hub to end. */
async function isOrphaned({ runs }: MarkedProcess, table: ProcessTable): Promise<boolean> {
  const inner = runs.at(-1);
  if (inner === undefined) return false;
  const owner = table.get(inner.owner);
  if (owner === undefined || owner.zombie) return true;
  // Reading the identity may fail under load; nothing is ended then.
  const identity = await processIdentity(inner.owner);
  return identity !== undefined && identity !== inner.ownerIdentity;
}

/** Signals each process once and waits; resolves with those that still live. */
async function end(
  pids: readonly number[],
  signal: EndSignal,
  options: ReapOptions,
): Promise<readonly number[]> {
  const set = new ProcessSet();
  await set.add(pids);
  signalAll(await set.living(), signal);
  return waitUntilGone(() => set.living(), options);
}
