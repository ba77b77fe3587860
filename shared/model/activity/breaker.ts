import { z } from 'zod';

/** Circuit breaker of a tool that has failed. Times in epoch milliseconds. */
export const breakerViewSchema = z.object({
  serverKey: z.string(),
  tool: z.string(),
  state: z.enum(['closed', 'open', 'half-open']),
  /** Consecutive failures. */
  failures: z.number(),
  /** Consecutive successful trials while half-open. */
  successes: z.number(),
  openedAt: z.number().optional(),
  /** Time at which the next trial call is allowed. */
  until: z.number().optional(),
});
export type BreakerView = Readonly<z.infer<typeof breakerViewSchema>>;
