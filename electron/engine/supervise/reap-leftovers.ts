import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { processIdentity } from '../store/process-identity.ts';
import { type ChildRecord, readLedger } from './ledger.ts';
import { readMarker } from './process-marker.ts';
import { membersOf } from './process-table.ts';
import type { ProcessTables } from './process-tables.ts';
import { ProcessTree } from './process-tree.ts';
import { stopTree } from './stop-ladder.ts';

export interface ReapOptions {
  readonly file: string;
  readonly instanceId: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly processes: ProcessTables;
  /** Milliseconds after SIGTERM and after SIGKILL. */
  readonly step: number;
}

export interface ReapReport {
  /** Children of a killed hub that were still running and are now verified gone. */
  readonly reaped: readonly ChildRecord[];
  /** Those that could not be ended. */
  readonly left: readonly ChildRecord[];
}

/** Ends what an earlier hub noted as running and could not end itself, for example because it was killed. */
export async function reapLeftovers(options: ReapOptions): Promise<ReapReport> {
  const records = await readLedger(options.file);
  const results = await Promise.all(
    records.map(async (record) => ({ record, result: await reap(record, options) })),
  );
  const pick = (wanted: ReapResult) =>
    results.filter(({ result }) => result === wanted).map(({ record }) => record);
  return { reaped: pick('reaped'), left: pick('left') };
}

type ReapResult = 'gone' | 'reaped' | 'left';

async function reap(record: ChildRecord, options: ReapOptions): Promise<ReapResult> {
  if (!(await isOurs(record, options))) return 'gone';
  const { key, pid } = record;
  options.logger.log('warn', 'Ending a server that an earlier run left behind', { key, pid });
  const living = await stopTree(new ProcessTree(pid, options.processes), {
    clock: options.clock,
    step: options.step,
  });
  return living.length === 0 ? 'reaped' : 'left';
}

async function isOurs(
  { pid, identity }: ChildRecord,
  { instanceId, processes }: ReapOptions,
): Promise<boolean> {
  const current = await processIdentity(pid);
  if (current !== undefined) return current === identity;
  // The leader has gone. Its group may live on, and a group's number is not given away while it does; the marker in
  // the members' environment makes it certain. Only Linux shows that.
  if (process.platform !== 'linux') return false;
  const members = membersOf(await processes.now(), pid);
  const marked = await Promise.all(
    members.map(async (row) => (await readMarker(row.pid)).includes(instanceId)),
  );
  return marked.includes(true);
}
