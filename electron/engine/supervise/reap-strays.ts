import { stat } from 'node:fs/promises';
import { type Clock, delay } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { processIdentity } from '../store/process-identity.ts';
import { readMarker } from './process-marker.ts';
import type { ProcessTable } from './process-table.ts';
import type { ProcessTables } from './process-tables.ts';

export interface StraysOptions {
  readonly instanceId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly processes: ProcessTables;
  /** Milliseconds after SIGTERM and after SIGKILL. */
  readonly step: number;
}

/**
 * Ends the descendants of servers of an earlier hub that no list names: their server left by itself, and they had left
 * its process group. On Linux each still carries that hub in its environment. To be called by the hub that owns the
 * folder, before it starts any server: whatever carries its id then is of the past. Resolves with the pids that could
 * not be ended.
 */
export async function reapStrays(options: StraysOptions): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const strays = await findStrays(options);
  if (strays.length === 0) return [];
  const pids = strays.map(({ pid }) => pid);
  options.logger.log('warn', 'Ending processes that servers of an earlier run left behind', { pids });
  if ((await end(strays, 'SIGTERM', options)).length === 0) return [];
  // Looked for again: what they started meanwhile is one of them.
  const left = await end(await findStrays(options), 'SIGKILL', options);
  return left.map(({ pid }) => pid);
}

/** A process with what tells it from a later one with the same pid. */
interface Stray {
  readonly pid: number;
  readonly identity: string;
}

async function findStrays({ instanceId, processes }: StraysOptions): Promise<readonly Stray[]> {
  const table = await processes.now();
  const above = lineage(table, process.pid);
  const found: Stray[] = [];
  for (const { pid, zombie } of table.values()) {
    if (zombie || above.has(pid)) continue;
    // Read before its environment, so that the two belong to one process.
    const identity = await processIdentity(pid);
    // Only the innermost owner counts: what servers of a hub below ours started is that hub's to end.
    if (identity === undefined || (await readMarker(pid)).at(-1) !== instanceId) continue;
    if (await isOfThisUser(pid)) found.push({ pid, identity });
  }
  return found;
}

/** This program and whatever started it, which must not be ended even if it comes from a server. */
function lineage(table: ProcessTable, pid: number): ReadonlySet<number> {
  const seen = new Set<number>();
  for (let at = pid; at > 0 && !seen.has(at); at = table.get(at)?.parent ?? 0) seen.add(at);
  return seen;
}

/** An administrator may look into the processes of others. */
async function isOfThisUser(pid: number): Promise<boolean> {
  const owner = await stat(`/proc/${pid}`).catch(() => undefined);
  return owner?.uid === process.getuid?.();
}

/** Signals each once and waits for all; resolves with those that still live. */
async function end(
  strays: readonly Stray[],
  signal: 'SIGTERM' | 'SIGKILL',
  { clock, step }: StraysOptions,
): Promise<readonly Stray[]> {
  const wanted = await living(strays);
  for (const { pid } of wanted) sendSignal(pid, signal);
  const deadline = clock.now() + step;
  let left = await living(wanted);
  for (let pause = 10; left.length > 0 && clock.now() < deadline; pause = Math.min(pause * 2, 100)) {
    await delay(clock, pause);
    left = await living(left);
  }
  return left;
}

async function living(strays: readonly Stray[]): Promise<readonly Stray[]> {
  const alive = await Promise.all(
    strays.map(async ({ pid, identity }) => (await processIdentity(pid)) === identity),
  );
  return strays.filter((_, index) => alive[index]);
}

function sendSignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone, or of another user by now; whoever calls verifies.
  }
}
