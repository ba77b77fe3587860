import { z } from 'zod';
import { auditFilterSchema, auditPageSchema, auditQuerySchema, auditVerdictSchema } from '../model/audit.ts';
import { breakerViewSchema } from '../model/breaker.ts';
import { metricsQuerySchema, metricsSummarySchema } from '../model/metrics.ts';
import { type IpcRows, nothing } from './parts.ts';

/** Calls about the audit log, metrics and circuit breakers, one row each; see `contract.ts`. */
export const auditCalls = {
  'audit.query': { input: auditQuerySchema, output: auditPageSchema },
  'audit.verify': { input: nothing, output: auditVerdictSchema },
  /** Opens a save dialog; the file is JSON lines, oldest first. `saved` is false if it was cancelled. */
  'audit.export': {
    input: z.object({ filter: auditFilterSchema }),
    output: z.object({ saved: z.boolean(), rows: z.number() }),
  },
  'metrics.summary': { input: metricsQuerySchema, output: metricsSummarySchema },
  /** Every circuit that is not closed, or has counted failures. */
  'breaker.list': { input: nothing, output: z.array(breakerViewSchema).readonly() },
  /** Resets the failure count of a tool, or of all tools of a server. */
  'breaker.reset': {
    input: z.object({ serverKey: z.string(), tool: z.string().optional() }),
    output: nothing,
  },
} as const satisfies IpcRows;

export const auditEvents = {
  /** All breakers, whenever one opens, closes or is half-open. */
  'breaker.changed': z.object({ breakers: z.array(breakerViewSchema).readonly() }),
} as const;
