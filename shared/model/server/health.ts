import { z } from 'zod';

/** Health of a server, from checks and calls. Times in epoch milliseconds. */
export const serverHealthSchema = z.object({
  /** Kind of the last check: a message that arrived anyway, a ping, or GET on `healthCheckUrl`. */
  by: z.enum(['message', 'ping', 'url']),
  lastCheckAt: z.number(),
  /** Time of its last answer; absent if there was none. */
  lastOkAt: z.number().optional(),
  /** Consecutive failed checks; the third is an error. */
  misses: z.number(),
  /** Recent median in milliseconds; absent without recent answers. */
  responseMs: z.number().optional(),
  /** Share of recent calls that failed, 0 to 1. */
  errorRate: z.number(),
});
export type ServerHealth = Readonly<z.infer<typeof serverHealthSchema>>;

/** One span of a server's health history, oldest first. */
export const healthSampleSchema = z.object({
  /** End of the span. */
  at: z.number(),
  status: z.enum(['ok', 'slow', 'failing', 'down']),
  /** Median of the span in milliseconds; absent without answers. */
  responseMs: z.number().optional(),
  calls: z.number(),
  errors: z.number(),
});
export type HealthSample = Readonly<z.infer<typeof healthSampleSchema>>;
