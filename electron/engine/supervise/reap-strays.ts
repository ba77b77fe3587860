import { processIdentity } from '../store/process-identity.ts';
import type { ContainerRecord } from './container-record.ts';
import { readTagged, type TaggedProcess } from './process-marks.ts';
import { type EndSignal, ProcessSet, signalAll } from './process-set.ts';
import { ancestorsOf, type ProcessTable } from './process-table.ts';
import type { ReapOptions } from './reap-leftovers.ts';
import { killTimeoutMs, waitUntilGone } from './stop-ladder.ts';
import { escapedContainers } from './stray-containers.ts';

/**
 * Ends what the servers of killed hubs and commands left running: processes whose tag names an owner that no
 * longer lives. Resolves with the pids that could not be ended. The callback receives the containers they started,
 * which do not end with them, and is awaited before anything is signalled.
 */
export async function reapEscaped(
  options: ReapOptions,
  recordContainers: (containers: readonly ContainerRecord[]) => Promise<void>,
): Promise<readonly number[]> {
  // Windows hides the environment, and with it the tags.
  if (process.platform === 'win32') return [];
  const escaped = await findEscaped(options);
  if (escaped.length === 0) return [];
  options.logger.log('warn', 'Ending processes that servers of an earlier run left behind', {
    pids: escaped,
  });
  await recordContainers(escapedContainers(escaped));
  await signalAndWait(escaped, 'SIGTERM', options);
  return killEscaped(options);
}

/** Repeats, since a process that is being ended may have started another. */
async function killEscaped(options: ReapOptions, rounds = 5): Promise<readonly number[]> {
  const escaped = await findEscaped(options);
  if (escaped.length === 0) return [];
  const left = await signalAndWait(escaped, 'SIGKILL', {
    ...options,
    step: Math.max(options.step, killTimeoutMs),
  });
  return left.length > 0 || rounds === 1 ? left : killEscaped(options, rounds - 1);
}

async function findEscaped({ processes }: ReapOptions): Promise<readonly number[]> {
  const table = await processes.now();
  const above = ancestorsOf(table, process.pid);
  const tagged = (await readTagged(table)).filter(({ pid }) => !above.has(pid));
  const orphaned = await Promise.all(tagged.map((candidate) => isOrphaned(candidate, table)));
  return tagged.filter((_, index) => orphaned[index]).map(({ pid }) => pid);
}

/** Only the innermost owner counts: what the servers of a nested hub started is for that hub to end. */
async function isOrphaned({ tags: runs }: TaggedProcess, table: ProcessTable): Promise<boolean> {
  const inner = runs.at(-1);
  if (inner === undefined) return false;
  const owner = table.get(inner.owner);
  if (owner === undefined || owner.zombie) return true;
  // Reading the identity may fail under load; nothing is ended then.
  const identity = await processIdentity(inner.owner);
  return identity !== undefined && identity !== inner.ownerIdentity;
}

/** Signals each process once and waits; resolves with those that still live. */
async function signalAndWait(
  pids: readonly number[],
  signal: EndSignal,
  options: ReapOptions,
): Promise<readonly number[]> {
  const set = new ProcessSet();
  await set.add(pids);
  signalAll(await set.living(), signal);
  return waitUntilGone(() => set.living(), options);
}
