import { z } from 'zod';
import { problemSchema } from '../../error/problem-schema.ts';
import { compactSettingsSchema } from '../../schema/compact-schema.ts';

/** Name of a profile. */
export const profileNameSchema = z
  .string()
  .min(1, 'a profile needs a name')
  .max(64, 'a name must have at most 64 characters')
  .refine(
    (name) => name.trim() === name && !/[\p{Cc}/]/u.test(name),
    'a name must not contain "/" or begin or end with a space',
  );

/** Selection of one server: all of it, including later tools; some tools; or all but some. */
export const serverSelectionSchema = z.union([
  z.literal('all'),
  z.object({ only: z.array(z.string()).readonly() }),
  z.object({ except: z.array(z.string()).readonly() }),
]);
export type ServerSelection = Readonly<z.infer<typeof serverSelectionSchema>>;

export const profileSchema = z.object({
  name: z.string(),
  /** Selections by server key; other servers are not included. */
  servers: z.record(z.string(), serverSelectionSchema),
  /** Compact mode for clients with this profile. */
  compact: compactSettingsSchema.optional(),
});
export type Profile = Readonly<z.infer<typeof profileSchema>>;

export const profilesViewSchema = z.object({
  /** In file order. */
  profiles: z.array(profileSchema).readonly(),
  /** Profile names by client, using the name the client reports or its entry's name. */
  clients: z.record(z.string(), z.string()),
  /** Compact mode settings of single clients, by the same names; `off` overrides the profile. */
  compact: z.record(z.string(), z.union([compactSettingsSchema, z.literal('off')])).optional(),
  /** Reason why the file was rejected; the previous profiles stay in force. */
  problem: problemSchema.optional(),
});
export type ProfilesView = Readonly<z.infer<typeof profilesViewSchema>>;
