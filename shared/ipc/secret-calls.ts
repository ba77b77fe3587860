import { z } from 'zod';
import { longestSecret, secretNameSchema, secretsViewSchema } from '../model/secret.ts';
import { type IpcRows, nothing } from './parts.ts';

/** Calls about the vault, one row each; see `contract.ts`. No value ever comes back. */
export const secretCalls = {
  /** `secrets.changed` keeps it fresh. */
  'secret.list': { input: nothing, output: secretsViewSchema },
  /**
   * Stores a value; the servers that refer to it start anew with it. Without `replace` a name that is taken is refused
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
  /** Refused with `secret.in_use` while servers refer to it, unless `force` is set: they cannot be started any more then. */
  'secret.delete': { input: z.object({ name: secretNameSchema, force: z.boolean() }), output: nothing },
} as const satisfies IpcRows;

export const secretEvents = {
  /** The vault, or which servers refer to it, has changed; whole. */
  'secrets.changed': secretsViewSchema,
} as const;
