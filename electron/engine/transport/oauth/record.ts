import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { z } from 'zod';
import { parseJson } from '../../../../shared/json.ts';
import { digestOf } from '../../base/digest.ts';
import type { TokenClient } from './client-auth.ts';
import type { OAuthServer } from './contract.ts';
import type { Discovered } from './discover.ts';
import { issuerOf } from './issuer.ts';
import { type ServerMetadata, serverMetadataSchema } from './server-metadata.ts';

/**
 * A stored sign-in: tokens with everything needed to refresh them, bound to their issuer. Contains secrets.
 */
export interface SignInRecord {
  readonly url: string;
  readonly authorizationServer: string;
  readonly metadata?: ServerMetadata;
  readonly resource?: string;
  /** The service has refused the resource. */
  readonly refusesResource?: boolean;
  readonly client: TokenClient;
  readonly scope?: string;
  /** Scopes that were to be requested, whatever was granted. */
  readonly wantedScope?: string;
  readonly accessToken: string;
  readonly refreshToken?: string;
  readonly obtainedAt: number;
  /** Epoch milliseconds; absent if the authorization server did not say. */
  readonly expiresAt?: number;
}

/** The sign-in before, whose client belongs to its issuer. Contains no secrets. */
export interface PreviousSignIn {
  readonly url: string;
  readonly issuer: string;
  readonly clientId: string;
  /** All scopes that were granted or requested. */
  readonly scope?: string;
}

/** New tokens. */
export interface TokenGrant {
  readonly tokens: OAuthTokens;
  /** The client, with the authentication method that the service accepted. */
  readonly client: TokenClient;
  /** The service, and the resource if it accepted one. */
  readonly discovered: Discovered;
}

/** Name of the stored secret: one sign-in for each server and address. */
export function recordName({ key, url }: OAuthServer): string {
  return `oauth:${key}:${digestOf(url).slice(0, 16)}`;
}

/** Creates the record for new tokens. */
export function recordOf(
  url: string,
  { tokens, client, discovered }: TokenGrant,
  { scope: requestedScope, wantedScope }: Pick<Partial<SignInRecord>, 'scope' | 'wantedScope'>,
  now: number,
): SignInRecord {
  const { authorizationServer, metadata, resource, refusesResource } = discovered;
  return {
    url,
    authorizationServer,
    client,
    ...(metadata === undefined ? {} : { metadata }),
    ...(resource === undefined ? {} : { resource }),
    ...(refusesResource === undefined ? {} : { refusesResource }),
    ...(wantedScope === undefined ? {} : { wantedScope }),
    ...tokenFields(tokens, requestedScope, now),
  };
}

/**
 * Creates the record after a refresh; an authorization server that names no scope has kept the old one (RFC
 * 6749, 6).
 */
export function refreshedRecord(record: SignInRecord, redeemed: TokenGrant, now: number): SignInRecord {
  return recordOf(record.url, redeemed, record, now);
}

/**
 * Returns true if the token should be refreshed before use: a minute before it expires, or sooner for
 * short-lived tokens.
 */
export function isDue({ obtainedAt, expiresAt }: SignInRecord, now: number): boolean {
  if (expiresAt === undefined) return false;
  const margin = Math.min(60_000, (expiresAt - obtainedAt) / 5);
  return now >= expiresAt - margin;
}

export function isExpired({ expiresAt }: SignInRecord, now: number): boolean {
  return expiresAt !== undefined && now >= expiresAt;
}

export function printRecord(record: SignInRecord): string {
  return JSON.stringify(record);
}

/** Returns undefined for a text that is not a record. */
export function parseRecord(text: string): SignInRecord | undefined {
  const parsed = recordSchema.safeParse(parseJson(text));
  // The schema matches the type, except that it allows an explicit undefined.
  return parsed.success ? (parsed.data as SignInRecord) : undefined;
}

export function previousOf({ url, client, scope, wantedScope, ...service }: SignInRecord): PreviousSignIn {
  const scopes = [...new Set([...wordsOf(scope), ...wordsOf(wantedScope)])];
  return {
    url,
    issuer: issuerOf(service),
    clientId: client.client_id,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
  };
}

/** Splits a list of scopes as the protocol writes it. */
export function wordsOf(scope: string | undefined): readonly string[] {
  return scope?.split(' ').filter((word) => word !== '') ?? [];
}

/** Prints what remains of an ended sign-in: the issuer to which a client registered by hand belongs. */
export function printRemains({ url, issuer, clientId }: PreviousSignIn): string {
  return JSON.stringify({ url, issuer, clientId });
}

/** Returns undefined for a text that is not what remains of a sign-in. */
export function parseRemains(text: string): PreviousSignIn | undefined {
  const parsed = remainsSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

function tokenFields(tokens: OAuthTokens, requestedScope: string | undefined, now: number) {
  const { access_token, refresh_token, expires_in } = tokens;
  const scope = tokens.scope ?? requestedScope;
  return {
    accessToken: access_token,
    obtainedAt: now,
    ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
    ...(scope === undefined ? {} : { scope }),
    ...(expires_in === undefined ? {} : { expiresAt: now + expires_in * 1000 }),
  };
}

const remainsSchema = z.object({ url: z.string(), issuer: z.string(), clientId: z.string() });

const recordSchema = z.object({
  url: z.string(),
  authorizationServer: z.string(),
  metadata: serverMetadataSchema.optional(),
  resource: z.string().optional(),
  refusesResource: z.boolean().optional(),
  client: z.looseObject({
    client_id: z.string(),
    client_secret: z.string().optional(),
    token_endpoint_auth_method: z.string().optional(),
    encodesHeader: z.boolean().optional(),
  }),
  scope: z.string().optional(),
  wantedScope: z.string().optional(),
  accessToken: z.string(),
  refreshToken: z.string().optional(),
  obtainedAt: z.number(),
  expiresAt: z.number().optional(),
});
