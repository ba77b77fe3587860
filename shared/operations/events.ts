import { z } from 'zod';
import { clientViewSchema } from '../model/client/client.ts';
import { hubViewSchema } from '../model/hub/hub.ts';
import { healthSampleSchema } from '../model/server/health.ts';
import { logLineSchema, processUsageSchema, serverViewSchema } from '../model/server/server.ts';
import { toolSummarySchema } from '../model/tool/tool.ts';
import { accessEvents } from './access.ts';
import { activityEvents } from './activity.ts';
import { auditEvents } from './audit.ts';
import { connectEvents } from './connect.ts';
import { guardEvents } from './guard.ts';
import { profileEvents } from './profiles.ts';
import { searchEvents } from './search.ts';
import { secretEvents } from './secrets.ts';
import { testerEvents } from './tester.ts';

/** All events of a running hub. Each carries the changed state itself. */
export const hubEvents = {
  'hub.changed': hubViewSchema,
  /** The full views of changed servers, and the order of all keys, which shows which were removed. */
  'servers.changed': z.object({
    servers: z.array(serverViewSchema).readonly(),
    order: z.array(z.string()).readonly(),
  }),
  /** The complete tool lists of these servers. */
  'tools.changed': z.object({ tools: z.record(z.string(), z.array(toolSummarySchema).readonly()) }),
  'clients.changed': z.object({ clients: z.array(clientViewSchema).readonly() }),
  /** New lines of a watched server's log. */
  'server.log': z.object({ key: z.string(), lines: z.array(logLineSchema).readonly() }),
  /** New samples of a watched server's health. */
  'server.health': z.object({ key: z.string(), samples: z.array(healthSampleSchema).readonly() }),
  'process.usage': z.object({ usage: z.array(processUsageSchema).readonly() }),
  ...connectEvents,
  ...secretEvents,
  ...testerEvents,
  ...activityEvents,
  ...accessEvents,
  ...guardEvents,
  ...profileEvents,
  ...auditEvents,
  ...searchEvents,
} as const satisfies Record<string, z.ZodType>;

export type HubEventName = keyof typeof hubEvents;
export type HubEvent<N extends HubEventName> = z.infer<(typeof hubEvents)[N]>;
