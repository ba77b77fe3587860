import { z } from 'zod';
import { profileNameSchema, profilesViewSchema, serverSelectionSchema } from '../model/client/profile.ts';
import { compactSettingsSchema } from '../schema/compact-schema.ts';
import { hubNote, operation } from './operation.ts';
import { nothing, undoId } from './parts.ts';

const name = z.object({ name: z.string() });

/** Operations on profiles. A missing one is `profile.unknown`. */
export const profileOperations = {
  /** `profiles.changed` keeps it up to date. */
  'profile.list': operation({ input: nothing, output: profilesViewSchema, doors: ['window'] }),
  /** Creates an empty one, or the copy of another. Rejects with `profile.exists`. */
  'profile.create': operation({
    input: z.object({ name: profileNameSchema, copyOf: z.string().optional() }),
    output: nothing,
    doors: ['window'],
    audit: ({ name, copyOf }) => [
      hubNote('create-profile', copyOf === undefined ? name : `${name}, a copy of ${copyOf}`),
    ],
  }),
  /** Renames it for its clients too. */
  'profile.rename': operation({
    input: z.object({ name: z.string(), newName: profileNameSchema }),
    output: nothing,
    doors: ['window'],
    audit: ({ name, newName }) => [hubNote('rename-profile', `${name} was renamed to ${newName}.`)],
  }),
  /** Rejects with `profile.in_use` while clients have it, unless `force` is set: they get everything then. */
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
  /** Sets what the profile contains of some servers; `none` removes a server. */
  'profile.select': operation({
    input: name.extend({
      servers: z.record(z.string(), z.union([serverSelectionSchema, z.literal('none')])),
    }),
    output: nothing,
    doors: ['window'],
    audit: ({ name, servers }) => [hubNote('edit-profile', `${name}: ${Object.keys(servers).join(', ')}`)],
  }),
  /** Adds some tools of a server, or removes them, and leaves the others as they are. */
  'profile.setTools': operation({
    input: name.extend({ serverKey: z.string(), names: z.array(z.string()).min(1), on: z.boolean() }),
    output: nothing,
    doors: ['window'],
    audit: ({ name, serverKey, names, on }) => [
      { ...hubNote('edit-profile', `${name}: ${on ? 'with' : 'without'} ${names.join(', ')}`), serverKey },
    ],
  }),
  /** Gives a client a profile, by the client's own name; without one it gets everything. */
  'profile.assign': operation({
    input: z.object({ client: z.string().min(1), profile: z.string().optional() }),
    output: nothing,
    doors: ['window'],
    audit: ({ client, profile = 'none' }) => [hubNote('assign-profile', `${client}: ${profile}`)],
  }),
  /** Sets compact mode for a client, or for all that have a profile; `inherit`: what the client's profile says. */
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
