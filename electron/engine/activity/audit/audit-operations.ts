import type { AuditFilter } from '../../../../shared/model/activity/audit.ts';
import type { BreakerView } from '../../../../shared/model/activity/breaker.ts';
import type { OperationHandlers } from '../../base/operation-handlers.ts';
import type { BreakerSnapshot } from '../../routing/contract.ts';
import type { Resilience } from '../../routing/resilience/resilience.ts';
import type { ActivityWriter } from '../activity-writer.ts';
import type { Recorder } from '../recorder.ts';
import { writeLines } from './write-lines.ts';

export interface AuditOperationsHub {
  readonly resilience: Pick<Resilience, 'circuits'>;
  readonly activity: { readonly recorder: Pick<Recorder, 'flush'>; readonly writer: ActivityWriter };
}

export function auditOperations({ resilience: { circuits }, activity }: AuditOperationsHub) {
  const keeper = () => {
    // Makes operations that have just ended part of the result.
    activity.recorder.flush();
    return activity.writer;
  };
  return {
    'audit.query': (query) => keeper().ask({ kind: 'audit-query', ...query }),
    'audit.verify': () => keeper().ask({ kind: 'audit-verify' }),
    'audit.write': async ({ file, filter }) => ({
      rows: await writeLines(file, (write) => exportAll(keeper, write, filter)),
    }),
    // The table row creates the note.
    'audit.note': () => undefined,
    'metrics.summary': (query) => keeper().ask({ kind: 'audit-summary', ...query }),
    'breaker.list': () => breakersOf(circuits),
    'breaker.reset': ({ serverKey, tool }) => circuits.reset(serverKey, tool),
  } satisfies Partial<OperationHandlers>;
}

export function breakersOf(circuits: Resilience['circuits']): readonly BreakerView[] {
  return circuits.all().map(toView);
}

/** Reads one page at a time, so that neither side needs all rows in memory. */
async function exportAll(
  keeper: () => ActivityWriter,
  write: (line: string) => Promise<void>,
  filter: AuditFilter,
): Promise<number> {
  let count = 0;
  for (let after = 0, hasMore = true; hasMore; ) {
    const page = await keeper().ask({ kind: 'audit-after', filter, after, limit: pageSize });
    for (const row of page.rows)
      await write(JSON.stringify({ time: new Date(row.at).toISOString(), ...row }));
    count += page.rows.length;
    after = page.rows.at(-1)?.seq ?? after;
    hasMore = page.hasMore;
  }
  return count;
}

const pageSize = 500;

function toView({
  serverKey,
  name,
  state,
  failures,
  successes,
  openedAt,
  until,
}: BreakerSnapshot): BreakerView {
  return {
    serverKey,
    tool: name,
    state,
    failures,
    successes,
    ...(openedAt === undefined ? {} : { openedAt }),
    ...(until === undefined ? {} : { until }),
  };
}
