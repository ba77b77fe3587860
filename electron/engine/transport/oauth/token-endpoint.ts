import { exchangeAuthorization, refreshAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Clock } from '../../base/clock.ts';
import type { Fetch } from '../http-client/http-connections.ts';
import { configuredClient } from './client.ts';
import {
  addClientAuth,
  clientAuthMethods,
  formEncode,
  isClientAuthFailure,
  type TokenClient,
} from './client-auth.ts';
import type { OAuthOptions } from './contract.ts';
import type { Discovered } from './discover.ts';
import { type Members, secondsOf, textOf, textsOf, withWrapped } from './read-response.ts';
import type { SignInRecord, TokenGrant } from './record.ts';
import { isAboutResource, withoutResource } from './resource-refusal.ts';
import { createServiceFetch, withRetries } from './service-fetch.ts';

export interface Redemption {
  readonly discovered: Discovered;
  readonly client: TokenClient;
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

/** Exchanges a code for tokens; rejects with ServiceRefusal or the network error. */
export function redeem(redemption: Redemption, fetch: Fetch, clock: Clock): Promise<TokenGrant> {
  const { discovered, client, code, codeVerifier, redirectUri } = redemption;
  const fetchFn = tokenFetch(fetch, client, [code, codeVerifier]);
  return exchangeTokens(discovered, client, (target) =>
    withRetries(clock, () =>
      exchangeAuthorization(discovered.authorizationServer, {
        ...target,
        authorizationCode: code,
        codeVerifier,
        redirectUri,
        fetchFn,
      }),
    ),
  );
}

/** Uses the refresh token, once; rejects as `redeem` does. */
export function refresh(
  record: SignInRecord & { readonly refreshToken: string },
  options: OAuthOptions,
  fetch: Fetch,
): Promise<TokenGrant> {
  const { authorizationServer, refreshToken, accessToken, metadata, resource, refusesResource } = record;
  const client = clientOf(record, options);
  const fetchFn = tokenFetch(fetch, client, [refreshToken, accessToken]);
  const named = options.resource === false || resource === undefined ? {} : { resource };
  const discovered: Discovered = {
    authorizationServer,
    ...(metadata === undefined ? {} : { metadata }),
    ...(refusesResource === true ? { refusesResource } : named),
  };
  return exchangeTokens(discovered, client, (target) =>
    refreshAuthorization(authorizationServer, { ...target, refreshToken, fetchFn }),
  );
}

/** Revokes the tokens at the authorization server (RFC 7009), if it supports that. */
export async function revoke(record: SignInRecord, options: OAuthOptions, fetch: Fetch): Promise<void> {
  const endpoint = record.metadata?.revocation_endpoint;
  if (endpoint === undefined) return;
  const { refreshToken, accessToken, metadata } = record;
  const body = new URLSearchParams({
    token: refreshToken ?? accessToken,
    token_type_hint: refreshToken === undefined ? 'access_token' : 'refresh_token',
  });
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  const [client] = clientAuthMethods(
    clientOf(record, options),
    metadata?.token_endpoint_auth_methods_supported,
  );
  addClientAuth(client, headers, body);
  await fetch(endpoint, { method: 'POST', headers, body, redirect: 'manual' });
}

type Target = ReturnType<typeof targetOf>;
type Exchange = (target: Target) => Promise<OAuthTokens>;

/**
 * Retries without the resource if the service refuses it; if that fails too, the first refusal is reported.
 */
async function exchangeTokens(
  discovered: Discovered,
  client: TokenClient,
  exchange: Exchange,
): Promise<TokenGrant> {
  try {
    return await tryClientAuth(discovered, client, exchange);
  } catch (error) {
    if (discovered.resource === undefined || !isAboutResource(error)) throw error;
    return await tryClientAuth(withoutResource(discovered), client, exchange).catch(() => {
      throw error;
    });
  }
}

/**
 * Tries the client's authentication methods in turn: a service may accept the secret only in the header or
 * only in the body.
 */
async function tryClientAuth(
  discovered: Discovered,
  client: TokenClient,
  exchange: Exchange,
): Promise<TokenGrant> {
  const ways = clientAuthMethods(client, discovered.metadata?.token_endpoint_auth_methods_supported);
  let first: unknown;
  for (const way of ways) {
    try {
      return { tokens: await exchange(targetOf(way, discovered)), client: way, discovered };
    } catch (error) {
      first ??= error;
      if (!isClientAuthFailure(error)) throw error;
    }
  }
  throw first;
}

function targetOf(client: TokenClient, { metadata, resource }: Discovered) {
  return {
    clientInformation: client,
    addClientAuthentication: (headers: Headers, body: URLSearchParams) =>
      addClientAuth(client, headers, body),
    ...(metadata === undefined ? {} : { metadata }),
    ...(resource === undefined ? {} : { resource }),
  };
}

function tokenFetch(fetch: Fetch, { client_secret: secret }: TokenClient, spent: readonly string[]): Fetch {
  const secrets = secret === undefined ? [] : [secret, formEncode(secret)];
  return createServiceFetch(fetch, { read: readTokens, secrets: [...spent, ...secrets] });
}

/**
 * Reads tokens; every member except the access token may be missing, and the token type is assumed to be
 * Bearer (RFC 6750).
 */
function readTokens(answer: Members): OAuthTokens | undefined {
  const members = withWrapped(answer).find(({ access_token: found }) => textOf(found) !== undefined);
  // Some services write the whole value of the header.
  const token = textOf(members?.access_token)?.replace(/^bearer\s{1,8}(?=\S)/i, '');
  if (members === undefined || token === undefined || !headerText.test(token)) return undefined;
  const [refreshToken, lifetime] = [textOf(members.refresh_token), secondsOf(members.expires_in)];
  const scope = textsOf(members.scope)?.join(' ');
  return {
    access_token: token,
    token_type: 'Bearer',
    ...(lifetime === undefined ? {} : { expires_in: lifetime }),
    ...(scope === undefined ? {} : { scope }),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  };
}

/** Characters that a token can have in a header (RFC 6750, 2.1, and spaces). */
const headerText = /^[\x20-\x7e]+$/;

function clientOf({ client }: SignInRecord, options: OAuthOptions): TokenClient {
  const configured = configuredClient(options);
  return configured?.client_id === client.client_id ? { ...client, ...configured } : client;
}
