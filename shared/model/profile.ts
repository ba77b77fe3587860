import { z } from 'zod';
import { problemSchema } from '../error/problem-schema.ts';
import { compactSettingsSchema } from '../schema/compact-schema.ts';

/** What a profile may be called. */
export const profileNameSchema = z
  .string()
  .min(1, 'a profile needs a name')
  .max(64, 'a name has at most 64 characters')
  .refine(
    (name) => name.trim() === name && !/[\p{Cc}/]/u.test(name),
    'a name has no "/" and no space at its ends',
  );

/** What of one server is in a profile: all of it, also what it offers later; some tools; or all but some. */
export const serverSelectionSchema = z.union([
  z.literal('all'),
  z.object({ only: z.array(z.string()).readonly() }),
  z.object({ except: z.array(z.string()).readonly() }),
]);
export type ServerSelection = Readonly<z.infer<typeof serverSelectionSchema>>;

export const profileSchema = z.object({
  name: z.string(),
  /** By server key; a server that is not named is not in it. */
  servers: z.record(z.string(), serverSelectionSchema),
  /** Clients that have it get short lists of tools. */
  compact: compactSettingsSchema.optional(),
});
export type Profile = Readonly<z.infer<typeof profileSchema>>;

export const profilesViewSchema = z.object({
  /** In the order of the file. */
  profiles: z.array(profileSchema).readonly(),
  /** Name of the profile of each client that has one, by what the client calls itself or its entry is called. */
  clients: z.record(z.string(), z.string()),
  /** Short lists of single clients, named likewise; `off` counts before what the profile says. */
  compact: z.record(z.string(), z.union([compactSettingsSchema, z.literal('off')])).optional(),
  /** Why the file was not taken over; what was read before is in force. */
  problem: problemSchema.optional(),
});
export type ProfilesView = Readonly<z.infer<typeof profilesViewSchema>>;
