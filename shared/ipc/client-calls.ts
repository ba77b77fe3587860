import { z } from 'zod';
import { clientDetailSchema, clientWeightSchema, knownClientSchema } from '../model/client-detail.ts';
import { type IpcRows, nothing } from './parts.ts';

const id = z.object({ id: z.string() });

/**
 * Calls about connected clients, one row each; see `contract.ts`. A client that is gone fails with
 * `client.gone`.
 */
export const clientCalls = {
  'client.detail': { input: id, output: clientDetailSchema },
  /** Can be slow if there are many tools. Rejects with `client.not_weighed`. */
  'client.weigh': { input: id, output: clientWeightSchema },
  /** Notifies a connected client again that its lists have changed. */
  'client.notify': { input: id, output: nothing },
  /** Clients that are not connected now but called tools in the last 30 days. */
  'client.known': { input: nothing, output: z.object({ clients: z.array(knownClientSchema).readonly() }) },
} as const satisfies IpcRows;
