import type { AuditFilter } from '../../../../shared/model/audit.ts';
import type { Event } from '../../base/emitter.ts';
import type { Resilience } from '../../route/resilience/resilience.ts';
import type { HubActivity } from '../activity-recorder.ts';
import type { Meter } from '../metrics/meter.ts';
import type { Actor } from './actor.ts';
import { createBreakers } from './breakers.ts';
import type { AuditEngine, AuditLog, AuditNote } from './contract.ts';

interface AuditedHub {
  readonly resilience: Resilience;
  readonly activity: HubActivity;
  readonly meter: Meter;
}

export interface AuditEngineOptions {
  /** Throws ProblemError while no hub runs. */
  readonly open: () => AuditedHub;
  readonly running: () => AuditedHub | undefined;
  readonly onOpen: Event<AuditedHub>;
  readonly actor: Actor;
}

/** Creates the audit, metrics and circuit breaker part of the engine. */
export function createAuditEngine(options: AuditEngineOptions): AuditEngine {
  const { open, running, onOpen, actor } = options;
  const keeper = () => {
    const { activity } = open();
    // Makes the newest entries visible to the query.
    activity.recorder.flush();
    return activity.keeper;
  };
  const note = ({ kind, action, outcome = 'ok', ...about }: AuditNote) =>
    running()?.activity.recorder.note({ kind, action, outcome, ...about, actor: about.actor ?? actor.name });
  onOpen(() => note({ kind: 'hub', action: 'started', actor: 'hub' }));
  const breakers = createBreakers(options);
  const audit: AuditLog = {
    query: async (query) => keeper().ask({ kind: 'audit-query', ...query }),
    verify: async () => keeper().ask({ kind: 'audit-verify' }),
    export: (write, filter = {}) => exportAll(keeper, write, filter),
    note,
    as: (name, ask) => actor.as(name, ask),
    record(on) {
      // The last entry has to say that recording stops.
      if (!on) note({ kind: 'hub', action: 'audit-off' });
      running()?.activity.recorder.audit(on);
      if (on) note({ kind: 'hub', action: 'audit-on' });
    },
  };
  return {
    audit,
    metrics: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      text: async () => open().meter.text(),
      summary: async (query) => keeper().ask({ kind: 'audit-summary', ...query }),
    },
    breakers: {
      ...breakers,
      reset(serverKey, tool) {
        breakers.reset(serverKey, tool);
        note({ kind: 'server', action: 'reset-breaker', serverKey, tool });
      },
    },
  };
}

/** Exports page by page, so that neither side holds everything in memory. */
async function exportAll(
  keeper: () => HubActivity['keeper'],
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
