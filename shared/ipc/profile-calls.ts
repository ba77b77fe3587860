import { z } from 'zod';
import { profileNameSchema, profilesViewSchema, serverSelectionSchema } from '../model/profile.ts';
import { compactSettingsSchema } from '../schema/compact-schema.ts';
import { type IpcRows, nothing } from './parts.ts';

const name = z.object({ name: z.string() });

/** Calls about profiles, one row each; see `contract.ts`. One that is not there is `profile.unknown`. */
export const profileCalls = {
  /** `profiles.changed` keeps it fresh. */
  'profile.list': { input: nothing, output: profilesViewSchema },
  /** An empty one, or the copy of another. Refused with `profile.exists`. */
  'profile.create': {
    input: z.object({ name: profileNameSchema, copyOf: z.string().optional() }),
    output: nothing,
  },
  /** Clients that have it keep it. */
  'profile.rename': { input: z.object({ name: z.string(), newName: profileNameSchema }), output: nothing },
  /** Refused with `profile.in_use` while clients have it, unless `force` is set: they get everything then. */
  'profile.delete': { input: name.extend({ force: z.boolean() }), output: z.object({ undoId: z.string() }) },
  'profile.undo': { input: z.object({ undoId: z.string() }), output: nothing },
  /** What of some servers is in it from now on; `none` takes a server out. */
  'profile.select': {
    input: name.extend({
      servers: z.record(z.string(), z.union([serverSelectionSchema, z.literal('none')])),
    }),
    output: nothing,
  },
  /** Puts some tools of a server in, or takes them out, whatever else of it is in it. */
  'profile.setTools': {
    input: name.extend({ serverKey: z.string(), names: z.array(z.string()).min(1), on: z.boolean() }),
    output: nothing,
  },
  /** Gives a client a profile, by what it calls itself; without one it gets everything. */
  'profile.assign': {
    input: z.object({ client: z.string().min(1), profile: z.string().optional() }),
    output: nothing,
  },
  /** A short list of tools for a client, or for all that have a profile; `inherit`: what the client's profile says. */
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
  /** All of them, whole. */
  'profiles.changed': profilesViewSchema,
} as const;
