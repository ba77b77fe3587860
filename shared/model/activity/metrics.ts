import { z } from 'zod';

/** Calls of one kind with their durations in milliseconds. */
export const callStatsSchema = z.object({
  calls: z.number(),
  /** Calls that ended with an error, were never answered, or found no available server. */
  errors: z.number(),
  /** Calls that were denied, or cancelled by the client: neither successes nor errors. */
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
  /** Number of points to divide the time into. */
  points: z.int().min(1).max(500).optional(),
});
export type MetricsQuery = Readonly<z.infer<typeof metricsQuerySchema>>;

/** Call statistics for a period, from the audit log. */
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
  /** Oldest first, empty ones included; each starts at `at`. */
  points: z.array(z.object({ at: z.number(), stats: callStatsSchema })).readonly(),
});
export type MetricsSummary = Readonly<z.infer<typeof metricsSummarySchema>>;
