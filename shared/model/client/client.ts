import { z } from 'zod';
import { compactSources } from './compact.ts';

export const nameStyles = ['colon', 'dot', 'safe', 'raw'] as const;
export type NameStyle = (typeof nameStyles)[number];

/** A connected client: one live session of the hub. */
export const clientViewSchema = z.object({
  /** Random session id, never the client's token. */
  id: z.string(),
  /** `clientInfo` of its `initialize` request; the name is empty before that. */
  name: z.string(),
  version: z.string(),
  title: z.string().optional(),
  via: z.enum(['bridge', 'http', 'stdio']),
  /** How it speaks: with a session, or stateless (`modern`). Absent before its first request. */
  era: z.enum(['legacy', 'modern']).optional(),
  /** The revision in use. Absent like the era. */
  protocolVersion: z.string().optional(),
  connectedAt: z.number(),
  nameStyle: z.enum(nameStyles),
  /** Catalogue revision of its last list; absent if it has never listed. */
  listRevision: z.number().optional(),
  /** True if its list differs from what it would get now. */
  stale: z.boolean(),
  /** Number of tools in the list that it would get now. */
  listedTools: z.number(),
  calls: z.number(),
  lastActiveAt: z.number(),
  /** The profile that limits it; absent if it gets everything. An unknown profile gives it nothing. */
  profile: z
    .object({
      name: z.string(),
      isKnown: z.boolean(),
      /** True if the client's address or entry sets the profile, so that it cannot be changed here. */
      isAsked: z.boolean(),
    })
    .optional(),
  /** Source of the compact mode setting; absent if the list is full. */
  compact: z.enum(compactSources).optional(),
  /** Identity for access control; see model/access.ts. */
  identityId: z.string().optional(),
  /** Version of the bridge program, for `via: "bridge"`. */
  bridgeVersion: z.string().optional(),
});
export type ClientView = Readonly<z.infer<typeof clientViewSchema>>;
