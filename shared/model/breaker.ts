import { z } from 'zod';

/** The circuit of a tool that has failed. Times in epoch milliseconds. */
export const breakerViewSchema = z.object({
  serverKey: z.string(),
  tool: z.string(),
  state: z.enum(['closed', 'open', 'half-open']),
  /** Failures in a row. */
  failures: z.number(),
  /** Trials in a row that went well, since it was half open. */
  successes: z.number(),
  openedAt: z.number().optional(),
  /** When the next call is let through as a trial. */
  until: z.number().optional(),
});
export type BreakerView = Readonly<z.infer<typeof breakerViewSchema>>;
