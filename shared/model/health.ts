import { z } from 'zod';

/** How a server is now, as far as checks and calls tell. Times in epoch milliseconds. */
export const serverHealthSchema = z.object({
  /** What the last check was: a message that came anyway, a ping, or GET on `healthCheckUrl`. */
  by: z.enum(['message', 'ping', 'url']),
  lastCheckAt: z.number(),
  /** When it last answered anything; absent if it never has. */
  lastOkAt: z.number().optional(),
  /** Failed checks in a row; the third makes it an error. */
  misses: z.number(),
  /** Milliseconds, median over the recent past; absent without an answer in it. */
  responseMs: z.number().optional(),
  /** 0 to 1: calls that failed, of those in the recent past. */
  errorRate: z.number(),
});
export type ServerHealth = Readonly<z.infer<typeof serverHealthSchema>>;

/** One span of a server's short history, oldest first. */
export const healthSampleSchema = z.object({
  /** When the span ended. */
  at: z.number(),
  status: z.enum(['ok', 'slow', 'failing', 'down']),
  /** Milliseconds, median of the span; absent without an answer in it. */
  responseMs: z.number().optional(),
  calls: z.number(),
  errors: z.number(),
});
export type HealthSample = Readonly<z.infer<typeof healthSampleSchema>>;
