import { z } from 'zod';

/** A client's request that a server is working on. */
export const activeCallSchema = z.object({
  /** Identifies the active call. */
  id: z.number(),
  /** Session id and name of the client. */
  clientId: z.string(),
  clientName: z.string(),
  serverKey: z.string(),
  method: z.string(),
  /** Original name of the tool or prompt, or the resource's URI. */
  name: z.string().optional(),
  since: z.number(),
});
export type ActiveCall = Readonly<z.infer<typeof activeCallSchema>>;

/** Connected clients and active calls that quitting would interrupt. */
export const quitPlanSchema = z.object({
  clients: z.array(z.object({ id: z.string(), name: z.string(), lastActiveAt: z.number() })).readonly(),
  calls: z.array(activeCallSchema).readonly(),
});
export type QuitPlan = Readonly<z.infer<typeof quitPlanSchema>>;
