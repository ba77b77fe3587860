import { z } from 'zod';
import { clientDetailSchema, clientWeightSchema, knownClientSchema } from '../model/client/client-detail.ts';
import { operation } from './operation.ts';
import { nothing } from './parts.ts';

const id = z.object({ id: z.string() });

/**
 * Operations that show what clients get. For a client that has disconnected they reject with `client.gone`.
 */
export const clientOperations = {
  'client.detail': operation({ input: id, output: clientDetailSchema, doors: ['window'] }),
  /** Estimates the tokens of its tools. */
  'client.weigh': operation({ input: id, output: clientWeightSchema, doors: ['window'] }),
  /** Notifies a connected client again that its lists have changed. */
  'client.notify': operation({ input: id, output: nothing, doors: ['window'] }),
  /** Lists clients that are not connected and have called tools in the last 30 days. */
  'client.known': operation({
    input: nothing,
    output: z.object({ clients: z.array(knownClientSchema).readonly() }),
    doors: ['window'],
  }),
};
