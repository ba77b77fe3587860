import { z } from 'zod';

/** Calls of one kind, and how long they took. Times in milliseconds. */
export const callStatsSchema = z.object({
  calls: z.number(),
  /** Those that ended with an error, were never answered, or found no server that could. */
  errors: z.number(),
  /** Those that were refused to their client, or taken back by it: neither a success nor an error. */
  withdrawn: z.number(),
  retries: z.number(),
  average: z.number(),
  p50: z.number(),
  p95: z.number(),
  p99: z.number(),
});
export type CallStats = Readonly<z.infer<typeof callStatsSchema>>;

export const metricsQuerySchema = z.object({
  serverKey: z.string().optional(),
  tool: z.string().optional(),
  /** Epoch milliseconds; the last hour by default. */
  since: z.number().optional(),
  until: z.number().optional(),
  /** How many points the time is cut into. */
  points: z.int().min(1).max(500).optional(),
});
export type MetricsQuery = Readonly<z.infer<typeof metricsQuerySchema>>;

/** Calls over a time, out of the audit log. */
export const metricsSummarySchema = z.object({
  since: z.number(),
  until: z.number(),
  total: callStatsSchema,
  servers: z
    .array(
      z.object({
        serverKey: z.string(),
        stats: callStatsSchema,
        tools: z.array(z.object({ tool: z.string(), stats: callStatsSchema })).readonly(),
      }),
    )
    .readonly(),
  /** Oldest first, the empty ones too; each from `at` on. */
  points: z.array(z.object({ at: z.number(), stats: callStatsSchema })).readonly(),
});
export type MetricsSummary = Readonly<z.infer<typeof metricsSummarySchema>>;
