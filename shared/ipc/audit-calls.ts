import { z } from 'zod';
import { auditFilterSchema, auditPageSchema, auditQuerySchema, auditVerdictSchema } from '../model/audit.ts';
import { breakerViewSchema } from '../model/breaker.ts';
import { metricsQuerySchema, metricsSummarySchema } from '../model/metrics.ts';
import { type IpcRows, nothing } from './parts.ts';

/** Calls about what was done, how calls went and which circuits are open, one row each; see `contract.ts`. */
export const auditCalls = {
  'audit.query': { input: auditQuerySchema, output: auditPageSchema },
  'audit.verify': { input: nothing, output: auditVerdictSchema },
  /** Opens a dialog for the file, JSON lines, oldest first; `saved` is false when it was cancelled. */
  'audit.export': {
    input: z.object({ filter: auditFilterSchema }),
    output: z.object({ saved: z.boolean(), rows: z.number() }),
  },
  'metrics.summary': { input: metricsQuerySchema, output: metricsSummarySchema },
  /** Every circuit that is not closed, or has counted failures. */
  'breaker.list': { input: nothing, output: z.array(breakerViewSchema).readonly() },
  /** Forgets what is held against a tool, or against all of a server. */
  'breaker.reset': {
    input: z.object({ serverKey: z.string(), tool: z.string().optional() }),
    output: nothing,
  },
} as const satisfies IpcRows;

export const auditEvents = {
  /** All of them, when one has opened, closed, or is being tried. */
  'breaker.changed': z.object({ breakers: z.array(breakerViewSchema).readonly() }),
} as const;
