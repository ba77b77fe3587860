import { z } from 'zod';
import { longestSecret, secretNameSchema, secretsViewSchema } from '../model/secret.ts';
import { type IpcRows, nothing } from './parts.ts';

/** Calls about the vault, one row each; see `contract.ts`. No call returns a secret's value. */
export const secretCalls = {
  /** Initial state; `secrets.changed` events update it. */
  'secret.list': { input: nothing, output: secretsViewSchema },
  /**
   * Stores a value and restarts the servers that refer to it. Without `replace`, an existing name is rejected
   * with `secret.exists`.
   */
  'secret.set': {
    input: z.object({
      name: secretNameSchema,
      value: z.string().min(1).max(longestSecret),
      replace: z.boolean(),
    }),
    output: nothing,
  },
  /**
   * Rejects with `secret.in_use` while servers refer to the secret, unless `force` is set; those servers can
   * then no longer start.
   */
  'secret.delete': { input: z.object({ name: secretNameSchema, force: z.boolean() }), output: nothing },
} as const satisfies IpcRows;

export const secretEvents = {
  /** The complete view, when the vault or the servers that refer to it change. */
  'secrets.changed': secretsViewSchema,
} as const;
