import { z } from 'zod';
import { secretKeepers } from './hub.ts';

/** Name of a secret, restricted so that `${secret:NAME}` can be recognised in any text. */
export const secretNameSchema = z
  .string()
  .regex(
    /^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/,
    'the name of a secret must have at most 64 letters, digits, "_", "-" and ".", and start with a letter or "_"',
  );

/** A server whose entry refers to a secret, and the fields that do: `env.TOKEN`. */
export const secretUseSchema = z.object({ key: z.string(), fields: z.array(z.string()).readonly() });
export type SecretUse = Readonly<z.infer<typeof secretUseSchema>>;

/** Maximum length of a value in characters. */
export const maxSecretLength = 100_000;

/** A stored secret; its value never leaves the engine. */
export const secretViewSchema = z.object({
  name: secretNameSchema,
  /** Absent if it was stored before this was recorded. */
  storedAt: z.number().optional(),
  /**
   * Source of the key that encrypted it; differs from the hub's current one if it was stored under another
   * way of starting.
   */
  keeper: z.enum(secretKeepers).optional(),
  /** False if its encryption key is not available: the value must be entered again. */
  readable: z.boolean(),
  usedBy: z.array(secretUseSchema).readonly(),
});
export type SecretView = Readonly<z.infer<typeof secretViewSchema>>;

/** A name that servers refer to but that is not stored. */
export const missingSecretSchema = z.object({
  name: z.string(),
  usedBy: z.array(secretUseSchema).readonly(),
});
export type MissingSecret = Readonly<z.infer<typeof missingSecretSchema>>;

/** Everything in the vault that can be shown, by name. */
export const secretsViewSchema = z.object({
  secrets: z.array(secretViewSchema).readonly(),
  missing: z.array(missingSecretSchema).readonly(),
});
export type SecretsView = Readonly<z.infer<typeof secretsViewSchema>>;
