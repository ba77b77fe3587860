import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/logger.ts';
import { processStatus } from '../../../store/files/process-identity.ts';
import type { ProcessTables } from '../table/process-tables.ts';
import { createProcessTree } from '../tree/process-tree.ts';
import { stopTree } from '../tree/stop-tree.ts';
import type { ChildRecord } from './pid-registry.ts';

export interface ReapOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly processes: ProcessTables;
  /** Milliseconds to wait after SIGTERM and after SIGKILL. */
  readonly step: number;
}

export interface ReapReport {
  /** Children of a killed hub that were still running and are now verified gone. */
  readonly reaped: readonly ChildRecord[];
  /** Children that could not be ended. */
  readonly left: readonly ChildRecord[];
}

/**
 * Ends the recorded children of an earlier hub that could not end them itself, for example because it was
 * killed.
 */
export async function reapOrphans(
  records: readonly ChildRecord[],
  options: ReapOptions,
): Promise<ReapReport> {
  const results = await Promise.all(
    records.map(async (record) => ({ record, result: await reap(record, options) })),
  );
  const pick = (wanted: ReapResult) =>
    results.filter(({ result }) => result === wanted).map(({ record }) => record);
  return { reaped: pick('reaped'), left: pick('left') };
}

type ReapResult = 'gone' | 'reaped' | 'left';

/**
 * If the leader is gone, the rest of its family is left to {@link reapEscaped}, which finds it by its tag; on
 * Windows, which hides tags, the family still names its parent, or was recorded. A record that cannot be
 * checked is left for the next start.
 */
async function reap(record: ChildRecord, options: ReapOptions): Promise<ReapResult> {
  const { key, pid, identity, family = [] } = record;
  const life = await processStatus(record);
  if (life === 'unknown') return 'left';
  if (life === 'gone' && process.platform !== 'win32') return 'gone';
  const tree = createProcessTree({ root: pid, tables: options.processes, identity, family });
  if (life === 'gone') {
    await tree.collect();
    if ((await tree.living()).length === 0) return 'gone';
  }
  options.logger.log('warn', 'Ending a server that an earlier run left behind', { key, pid });
  const left = await stopTree(tree, options);
  return left.length === 0 && (await processStatus(record)) === 'gone' ? 'reaped' : 'left';
}
