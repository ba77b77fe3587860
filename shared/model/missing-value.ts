import { z } from 'zod';
import { oauthOptionsSchema } from '../schema/server-entry.ts';
import { maxSecretLength } from './secret.ts';

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'is not a valid header name');
const scheme = z.string().regex(/^[A-Za-z0-9_-]{0,40}$/, 'is not a valid scheme');

/** A place in an entry that needs a value from the user. */
export const valuePlaceSchema = z.discriminatedUnion('kind', [
  /** A key that a remote server requires; `scheme` precedes it and may be empty. */
  z.object({
    kind: z.literal('header'),
    header: headerName,
    scheme,
    /** Header of a rejected key; removed if the new header has another name. */
    replaces: headerName.optional(),
  }),
  /** A variable that the program requires and the entry does not set. */
  z.object({ kind: z.literal('env'), name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/) }),
  /** A secret that the entry refers to. */
  z.object({ kind: z.literal('secret'), name: z.string() }),
  /** A variable that the entry refers to. */
  z.object({ kind: z.literal('variable'), name: z.string() }),
  /** A placeholder from instructions: `env.TOKEN`. */
  z.object({ kind: z.literal('placeholder'), field: z.string() }),
]);
export type ValuePlace = Readonly<z.infer<typeof valuePlaceSchema>>;

export const missingValueSchema = z.object({
  place: valuePlaceSchema,
  /** Display name: `GITHUB_TOKEN`. */
  label: z.string(),
});
export type MissingValue = Readonly<z.infer<typeof missingValueSchema>>;

/** A value entered by the user, sent once and never returned. */
export const enteredValueSchema = z.string().trim().min(1).max(maxSecretLength);

/** An OAuth client that the user registered with the sign-in service. */
export const signInClientSchema = z.object({
  clientId: z.string().trim().min(1).max(2000),
  clientSecret: enteredValueSchema.optional(),
  redirectUri: oauthOptionsSchema.shape.redirectUri,
});
export type SignInClient = Readonly<z.infer<typeof signInClientSchema>>;

/**
 * Default redirect address for a registration; services that compare the whole address need a fixed port.
 */
export const defaultRedirectUri = 'http://127.0.0.1:7421/callback';
