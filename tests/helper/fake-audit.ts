import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { AuditEngine } from '../../electron/engine/hub/audit/contract.ts';
import type { BreakerView } from '../../shared/model/breaker.ts';
import type { CallStats } from '../../shared/model/metrics.ts';

/** Of nothing that was called. */
export const noCalls: CallStats = {
  calls: 0,
  errors: 0,
  withdrawn: 0,
  retries: 0,
  average: 0,
  p50: 0,
  p95: 0,
  p99: 0,
};

/** The account of a fake engine: nothing was done. */
export function fakeAudit(record: (...call: unknown[]) => Promise<void>): AuditEngine {
  return {
    audit: {
      query: async () => ({ rows: [], hasMore: false }),
      export: async (write, filter) => {
        await record('audit.export', filter);
        await write('{"seq":1}');
        return 1;
      },
      verify: async () => ({ ok: true, rows: 0 }),
      note: (note) => void record('audit.note', note),
      as: (_actor, ask) => ask(),
      record: (on) => void record('audit.record', on),
    },
    metrics: {
      contentType: 'text/plain',
      text: async () => '',
      summary: async () => ({ since: 0, until: 1, total: noCalls, servers: [], points: [] }),
    },
    breakers: {
      list: () => [],
      reset: (serverKey, tool) => void record('breaker.reset', serverKey, tool),
      onChange: new Emitter<readonly BreakerView[]>().event,
    },
  };
}
