import { z } from 'zod';
import { profileNameSchema, profilesViewSchema, serverSelectionSchema } from '../model/client/profile.ts';
import { compactSettingsSchema } from '../schema/compact-schema.ts';
import { hubNote, operation } from './operation.ts';
import { nothing, undoId } from './parts.ts';

const name = z.object({ name: z.string() });

/** Operations on profiles. For a missing one they reject with `profile.unknown`. */
export const profileOperations = {
  /** `profiles.changed` keeps it up to date. */
  'profile.list': operation({ input: nothing, output: profilesViewSchema, doors: ['window'] }),
  /** Creates an empty profile, or a copy of another. Rejects with `profile.exists`. */
  'profile.create': operation({
    input: z.object({ name: profileNameSchema, copyOf: z.string().optional() }),
    output: nothing,
    doors: ['window'],
    audit: ({ name, copyOf }) => [
      hubNote('create-profile', copyOf === undefined ? name : `${name}, a copy of ${copyOf}`),
    ],
  }),
  /** Renames a profile, for its clients too. */
  'profile.rename': operation({
    input: z.object({ name: z.string(), newName: profileNameSchema }),
    output: nothing,
    doors: ['window'],
    audit: ({ name, newName }) => [hubNote('rename-profile', `${name} was renamed to ${newName}.`)],
  }),
  /**
   * Rejects with `profile.in_use` while clients have the profile, unless `force` is set; these clients then
   * get everything.
   */
  'profile.delete': operation({
    input: name.extend({ force: z.boolean() }),
    output: undoId,
    doors: ['window'],
    audit: ({ name }) => [hubNote('delete-profile', name)],
  }),
  'profile.undo': operation({
    input: undoId,
    output: nothing,
    doors: ['window'],
    audit: () => [hubNote('restore-profile')],
  }),
  /** Sets which tools of some servers the profile contains; `none` removes a server. */
  'profile.select': operation({
    input: name.extend({
      servers: z.record(z.string(), z.union([serverSelectionSchema, z.literal('none')])),
    }),
    output: nothing,
    doors: ['window'],
    audit: ({ name, servers }) => [hubNote('edit-profile', `${name}: ${Object.keys(servers).join(', ')}`)],
  }),
  /** Adds or removes some tools of a server; the others stay as they are. */
  'profile.setTools': operation({
    input: name.extend({ serverKey: z.string(), names: z.array(z.string()).min(1), on: z.boolean() }),
    output: nothing,
    doors: ['window'],
    audit: ({ name, serverKey, names, on }) => [
      { ...hubNote('edit-profile', `${name}: ${on ? 'with' : 'without'} ${names.join(', ')}`), serverKey },
    ],
  }),
  /** Assigns a profile to a client, by the client's own name; without one it gets everything. */
  'profile.assign': operation({
    input: z.object({ client: z.string().min(1), profile: z.string().optional() }),
    output: nothing,
    doors: ['window'],
    audit: ({ client, profile = 'none' }) => [hubNote('assign-profile', `${client}: ${profile}`)],
  }),
  /**
   * Sets compact mode for a client, or for all that have a profile; `inherit` leaves it to the client's
   * profile.
   */
  'profile.setCompact': operation({
    input: z.object({
      of: z.enum(['client', 'profile']),
      name: z.string().min(1),
      compact: z.union([compactSettingsSchema, z.literal('off'), z.literal('inherit')]),
    }),
    output: nothing,
    doors: ['window'],
  }),
};

export const profileEvents = {
  /** All profiles. */
  'profiles.changed': profilesViewSchema,
} as const;
