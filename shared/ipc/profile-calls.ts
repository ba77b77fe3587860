import { z } from 'zod';
import { profileNameSchema, profilesViewSchema, serverSelectionSchema } from '../model/profile.ts';
import { compactSettingsSchema } from '../schema/compact-schema.ts';
import { type IpcRows, nothing } from './parts.ts';

const name = z.object({ name: z.string() });

/**
 * Calls about profiles, one row each; see `contract.ts`. An unknown profile fails with `profile.unknown`.
 */
export const profileCalls = {
  /** Initial state; `profiles.changed` events update it. */
  'profile.list': { input: nothing, output: profilesViewSchema },
  /** Creates an empty profile or a copy of another. Rejects with `profile.exists`. */
  'profile.create': {
    input: z.object({ name: profileNameSchema, copyOf: z.string().optional() }),
    output: nothing,
  },
  /** Clients with this profile keep it. */
  'profile.rename': { input: z.object({ name: z.string(), newName: profileNameSchema }), output: nothing },
  /**
   * Rejects with `profile.in_use` while clients have the profile, unless `force` is set; those clients then
   * get everything.
   */
  'profile.delete': { input: name.extend({ force: z.boolean() }), output: z.object({ undoId: z.string() }) },
  'profile.undo': { input: z.object({ undoId: z.string() }), output: nothing },
  /** Sets what the profile includes of the given servers; `none` removes a server. */
  'profile.select': {
    input: name.extend({
      servers: z.record(z.string(), z.union([serverSelectionSchema, z.literal('none')])),
    }),
    output: nothing,
  },
  /** Adds tools of a server to the profile or removes them, without touching its other tools. */
  'profile.setTools': {
    input: name.extend({ serverKey: z.string(), names: z.array(z.string()).min(1), on: z.boolean() }),
    output: nothing,
  },
  /**
   * Assigns a profile to a client, by the name the client reports; without one the client gets everything.
   */
  'profile.assign': {
    input: z.object({ client: z.string().min(1), profile: z.string().optional() }),
    output: nothing,
  },
  /**
   * Sets a compact tool list for a client, or for all clients with a profile; `inherit` uses the profile's
   * setting.
   */
  'profile.setCompact': {
    input: z.object({
      of: z.enum(['client', 'profile']),
      name: z.string().min(1),
      compact: z.union([compactSettingsSchema, z.literal('off'), z.literal('inherit')]),
    }),
    output: nothing,
  },
} as const satisfies IpcRows;

export const profileEvents = {
  /** All profiles, complete. */
  'profiles.changed': profilesViewSchema,
} as const;
