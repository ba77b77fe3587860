import { z } from 'zod';
import { maxSecretLength, secretNameSchema, secretsViewSchema } from '../model/secret.ts';
import { hubNote, operation } from './operation.ts';
import { nothing } from './parts.ts';

/** Operations on the vault. No value ever comes back. */
export const secretOperations = {
  /** `secrets.changed` keeps it up to date. */
  'secret.list': operation({ input: nothing, output: secretsViewSchema, doors: ['window'] }),
  /** Stores a value; servers that refer to it restart with it. Without `replace` a taken name is refused with `secret.exists`. */
  'secret.set': operation({
    input: z.object({
      name: secretNameSchema,
      value: z.string().min(1).max(maxSecretLength),
      replace: z.boolean(),
    }),
    output: nothing,
    doors: ['window'],
    audit: ({ name, replace }) => [hubNote(replace ? 'replace-secret' : 'set-secret', name)],
  }),
  /** Rejects with `secret.in_use` while servers refer to it, unless `force` is set: they cannot start any more then. */
  'secret.delete': operation({
    input: z.object({ name: secretNameSchema, force: z.boolean() }),
    output: nothing,
    doors: ['window'],
    audit: ({ name }) => [hubNote('delete-secret', name)],
  }),
};

export const secretEvents = {
  /** The whole view, when the vault or its references have changed. */
  'secrets.changed': secretsViewSchema,
} as const;
