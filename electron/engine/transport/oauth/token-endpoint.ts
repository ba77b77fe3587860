import {
  exchangeAuthorization,
  refreshAuthorization,
  selectClientAuthMethod,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Fetch } from '../http-connections.ts';
import { configuredClient } from './client.ts';
import type { OAuthOptions } from './contract.ts';
import type { Discovered } from './discover.ts';
import type { SignInRecord } from './record.ts';
import { failureName, signInFailed } from './sign-in-problem.ts';

export interface Redemption {
  readonly discovered: Discovered;
  readonly client: OAuthClientInformationMixed;
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** Exchanges a code for tokens; rejects with ProblemError. */
export async function redeem(redemption: Redemption, fetch: Fetch): Promise<OAuthTokens> {
  const { discovered, client, code, codeVerifier, redirectUri } = redemption;
  try {
    return await exchangeAuthorization(discovered.authorizationServer, {
      ...target(discovered),
      clientInformation: client,
      authorizationCode: code,
      codeVerifier,
      redirectUri,
      fetchFn: fetch,
    });
  } catch (error) {
    const sentence = 'The service did not complete the sign-in.';
    throw signInFailed(sentence, 'Try again.', { error: failureName(error) }, error);
  }
}

export type Refreshed =
  | { readonly kind: 'fresh'; readonly tokens: OAuthTokens }
  /** The sign-in is over: only the user can begin another. */
  | { readonly kind: 'dead'; readonly error: string }
  /** It may work another time. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** Spends the refresh token, once. */
export async function refresh(
  record: SignInRecord & { readonly refreshToken: string },
  options: OAuthOptions,
  fetch: Fetch,
): Promise<Refreshed> {
  try {
    const tokens = await refreshAuthorization(record.authorizationServer, {
      ...target(record),
      clientInformation: clientOf(record, options),
      refreshToken: record.refreshToken,
      fetchFn: fetch,
    });
    return { kind: 'fresh', tokens };
  } catch (error) {
    return error instanceof OAuthError && final.has(error.errorCode)
      ? { kind: 'dead', error: error.errorCode }
      : { kind: 'failed', error };
  }
}

const final: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

/** Tells the authorization server that the sign-in is over (RFC 7009), where it wants to know. */
export async function revoke(record: SignInRecord, options: OAuthOptions, fetch: Fetch): Promise<void> {
  const endpoint = record.metadata?.revocation_endpoint;
  if (endpoint === undefined) return;
  const { refreshToken, accessToken, metadata } = record;
  const client = clientOf(record, options);
  const method = selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? []);
  const body = new URLSearchParams({
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
  });
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  const { client_id: id, client_secret: secret = '' } = client;
  if (method === 'client_secret_basic') headers.set('authorization', `Basic ${btoa(`${id}:${secret}`)}`);
  else body.set('client_id', id);
  if (method === 'client_secret_post') body.set('client_secret', secret);
  await fetch(endpoint, { method: 'POST', headers, body, redirect: 'manual' });
}

function target({ metadata, resource }: Pick<Discovered, 'metadata' | 'resource'>) {
  return {
    ...(metadata === undefined ? {} : { metadata }),
    ...(resource === undefined ? {} : { resource }),
  };
}

function clientOf({ client }: SignInRecord, options: OAuthOptions): OAuthClientInformationMixed {
  const configured = configuredClient(options);
  return configured?.client_id === client.client_id ? configured : client;
}
