import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';
import { writeLines } from './write-lines.ts';

/** Handles the calls of `audit-calls.ts`, in the same order. */
export function auditHandlers({ engine: { audit, metrics, breakers }, system }: HandlerContext) {
  return {
    'audit.query': (query) => audit.query(query),
    'audit.verify': () => audit.verify(),
    'audit.export': async ({ filter }) => {
      const file = await system.chooseTarget('Export the audit log', 'patchbay-audit.jsonl');
      if (file === undefined) return { saved: false, rows: 0 };
      return { saved: true, rows: await writeLines(file, (write) => audit.export(write, filter)) };
    },
    'metrics.summary': (query) => metrics.summary(query),
    'breaker.list': () => breakers.list(),
    'breaker.reset': ({ serverKey, tool }) => breakers.reset(serverKey, tool),
  } satisfies Partial<IpcHandlers>;
}
