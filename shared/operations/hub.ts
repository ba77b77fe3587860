import { z } from 'zod';
import { approvalRequestSchema } from '../model/access/access.ts';
import { clientViewSchema } from '../model/client/client.ts';
import { hubViewSchema } from '../model/hub/hub.ts';
import { serverViewSchema } from '../model/server/server.ts';
import { hubNote, operation } from './operation.ts';
import { nothing } from './parts.ts';

export const hubOperations = {
  /** Returns the hub, its servers in config order, and the clients that are connected. */
  'hub.status': operation({
    input: nothing,
    output: z.object({
      hub: hubViewSchema,
      servers: z.array(serverViewSchema).readonly(),
      /** Connected clients; a hub of an earlier version names none. */
      clients: z.array(clientViewSchema).readonly().default([]),
      /** Calls that wait for approval. */
      waiting: z.array(approvalRequestSchema).readonly().default([]),
    }),
    doors: ['cli'],
  }),
  /**
   * Stops a hub without a window in order; returns its process id while it still runs. Rejects with
   * `hub.already_running` in the app.
   */
  'hub.stop': operation({
    input: nothing,
    output: z.object({ pid: z.number() }),
    doors: ['cli'],
    audit: () => [hubNote('stop')],
  }),
  /** Moves the HTTP endpoint to another port; if the port is in use, rejects and keeps the old one. */
  'hub.setPort': operation({
    input: z.object({ port: z.number() }),
    output: nothing,
    doors: [],
    audit: ({ port }) => [hubNote('set-port', String(port))],
  }),
};
