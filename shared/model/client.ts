import { z } from 'zod';
import { compactSources } from './compact.ts';

export const nameStyles = ['colon', 'dot', 'safe', 'raw'] as const;
export type NameStyle = (typeof nameStyles)[number];

/** A connected client: one live session of the hub. */
export const clientViewSchema = z.object({
  /** Id of the session; random, never the client's token. */
  id: z.string(),
  /** `clientInfo` of its handshake; empty name until it has introduced itself. */
  name: z.string(),
  version: z.string(),
  title: z.string().optional(),
  via: z.enum(['bridge', 'http', 'stdio']),
  connectedAt: z.number(),
  nameStyle: z.enum(nameStyles),
  /** Revision of the catalogue it last listed; absent if it has never listed. */
  listRevision: z.number().optional(),
  /** True when it holds a list that differs from what it would be told now. */
  stale: z.boolean(),
  /** Tools in the list as it would be sent now, and items left out of it with the reason. */
  listedTools: z.number(),
  calls: z.number(),
  lastActiveAt: z.number(),
  /** The profile that is all it gets; absent where it gets everything. One that is not known gets it nothing. */
  profile: z
    .object({
      name: z.string(),
      isKnown: z.boolean(),
      /** Its address or its own entry says so, and nobody else can give it another. */
      isAsked: z.boolean(),
    })
    .optional(),
  /** Its list of tools is a short one, and who says so; absent where it is whole. */
  compact: z.enum(compactSources).optional(),
  /** Who it is, for what was granted to it; see model/access.ts. */
  identityId: z.string().optional(),
  /** Version of the bridge program, for `via: "bridge"`. */
  bridgeVersion: z.string().optional(),
});
export type ClientView = Readonly<z.infer<typeof clientViewSchema>>;
