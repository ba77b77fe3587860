import { z } from 'zod';
import { secretKeepers } from './hub.ts';

/** What a secret may be called, so that `${secret:NAME}` can be told apart in any text. */
export const secretNameSchema = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
    'a secret’s name has up to 64 letters, digits and "_", "-", ".", and begins with a letter or "_"',
  );

/** A server whose entry refers to a secret, and the fields in which it does: `env.TOKEN`. */
export const secretUseSchema = z.object({ key: z.string(), fields: z.array(z.string()).readonly() });
export type SecretUse = Readonly<z.infer<typeof secretUseSchema>>;

/** Characters of a value. */
export const longestSecret = 100_000;

/** A stored secret; its value never leaves the engine. */
export const secretViewSchema = z.object({
  name: secretNameSchema,
  /** Absent for one stored before this was noted. */
  storedAt: z.number().optional(),
  /** What encrypted it; another one than the hub's present keeper when it was stored on another way of starting. */
  keeper: z.enum(secretKeepers).optional(),
  /** False when it was closed with a key that is not here now: it has to be entered anew. */
  readable: z.boolean(),
  usedBy: z.array(secretUseSchema).readonly(),
});
export type SecretView = Readonly<z.infer<typeof secretViewSchema>>;

/** A name that servers refer to and that is not stored. */
export const missingSecretSchema = z.object({
  name: z.string(),
  usedBy: z.array(secretUseSchema).readonly(),
});
export type MissingSecret = Readonly<z.infer<typeof missingSecretSchema>>;

/** All of the vault that can be shown, by name. */
export const secretsViewSchema = z.object({
  secrets: z.array(secretViewSchema).readonly(),
  missing: z.array(missingSecretSchema).readonly(),
});
export type SecretsView = Readonly<z.infer<typeof secretsViewSchema>>;
