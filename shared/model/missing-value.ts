import { z } from 'zod';
import { oauthOptionsSchema } from '../schema/server-entry.ts';
import { longestSecret } from './secret.ts';

const headerName = z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/, 'is no name of a header');
const scheme = z.string().regex(/^[A-Za-z0-9_-]{0,40}$/, 'is no scheme');

/** Where an entry lacks a value that a person can enter. */
export const valuePlaceSchema = z.discriminatedUnion('kind', [
  /** The key that a remote server asks for; `scheme` stands before it and may be empty. */
  z.object({
    kind: z.literal('header'),
    header: headerName,
    scheme,
    /** The header that carried a refused key, which is removed where the new one has another name. */
    replaces: headerName.optional(),
  }),
  /** A variable that the program asks for, and the entry does not set. */
  z.object({ kind: z.literal('env'), name: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,100}$/) }),
  /** A secret that the entry refers to. */
  z.object({ kind: z.literal('secret'), name: z.string() }),
  /** A variable that the entry refers to. */
  z.object({ kind: z.literal('variable'), name: z.string() }),
  /** A value that instructions have filled in: `env.TOKEN`. */
  z.object({ kind: z.literal('placeholder'), field: z.string() }),
]);
export type ValuePlace = Readonly<z.infer<typeof valuePlaceSchema>>;

export const missingValueSchema = z.object({
  place: valuePlaceSchema,
  /** Its name for people: `GITHUB_TOKEN`. */
  label: z.string(),
});
export type MissingValue = Readonly<z.infer<typeof missingValueSchema>>;

/** A value as it is entered, once; it never comes back. */
export const enteredValueSchema = z.string().trim().min(1).max(longestSecret);

/** A client that was registered by hand with the service that signs users in. */
export const signInClientSchema = z.object({
  clientId: z.string().trim().min(1).max(2000),
  clientSecret: enteredValueSchema.optional(),
  redirectUri: oauthOptionsSchema.shape.redirectUri,
});
export type SignInClient = Readonly<z.infer<typeof signInClientSchema>>;

/** The redirect address that is offered for registration: services that compare it whole need a port that stays. */
export const offeredRedirectUri = 'http://127.0.0.1:7421/callback';
