import { z } from 'zod';
import {
  auditFilterSchema,
  auditPageSchema,
  auditQuerySchema,
  auditVerdictSchema,
  commandNoteSchema,
} from '../model/activity/audit.ts';
import { breakerViewSchema } from '../model/activity/breaker.ts';
import { metricsQuerySchema, metricsSummarySchema } from '../model/activity/metrics.ts';
import { operation } from './operation.ts';
import { nothing } from './parts.ts';

/** Operations on the audit log, the metrics of calls, and circuit breakers. */
export const auditOperations = {
  'audit.query': operation({ input: auditQuerySchema, output: auditPageSchema, doors: ['window'] }),
  'audit.verify': operation({ input: nothing, output: auditVerdictSchema, doors: ['window'] }),
  /** Writes JSON lines, oldest first, to a file; returns their number. */
  'audit.write': operation({
    input: z.object({ filter: auditFilterSchema, file: z.string() }),
    output: z.object({ rows: z.number() }),
    doors: [],
  }),
  /** Records what a command did to the data folder by itself. */
  'audit.note': operation({
    input: commandNoteSchema,
    output: nothing,
    doors: ['cli'],
    audit: (note) => [note],
  }),
  'metrics.summary': operation({
    input: metricsQuerySchema,
    output: metricsSummarySchema,
    doors: ['window', 'rest'],
  }),
  /** Lists every circuit that is not closed, or has counted failures. */
  'breaker.list': operation({
    input: nothing,
    output: z.array(breakerViewSchema).readonly(),
    doors: ['window', 'rest'],
  }),
  /** Resets the circuit of one tool, or of all tools of a server. */
  'breaker.reset': operation({
    input: z.object({ serverKey: z.string(), tool: z.string().optional() }),
    output: nothing,
    doors: ['window'],
    audit: ({ serverKey, tool }) => [{ kind: 'server', action: 'reset-breaker', serverKey, tool }],
  }),
};

export const auditEvents = {
  /** All circuits, when one has opened, closed, or is half open. */
  'breaker.changed': z.object({ breakers: z.array(breakerViewSchema).readonly() }),
} as const;
