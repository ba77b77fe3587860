import { z } from 'zod';

/** A request of a client that a server is at work on. */
export const activeCallSchema = z.object({
  /** Tells the calls under way apart. */
  id: z.number(),
  /** Session id and name of the client. */
  clientId: z.string(),
  clientName: z.string(),
  serverKey: z.string(),
  method: z.string(),
  /** The tool's or prompt's own name, or the resource's URI. */
  name: z.string().optional(),
  since: z.number(),
});
export type ActiveCall = Readonly<z.infer<typeof activeCallSchema>>;

/** What a quit would cut. */
export const quitPlanSchema = z.object({
  clients: z.array(z.object({ id: z.string(), name: z.string(), lastActiveAt: z.number() })).readonly(),
  calls: z.array(activeCallSchema).readonly(),
});
export type QuitPlan = Readonly<z.infer<typeof quitPlanSchema>>;
