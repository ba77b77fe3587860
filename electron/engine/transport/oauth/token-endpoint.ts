import {
  exchangeAuthorization,
  refreshAuthorization,
  selectClientAuthMethod,
} from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { isRecord } from '../../../../shared/json.ts';
import type { Clock } from '../../base/clock.ts';
import type { Fetch } from '../http-connections.ts';
import { configuredClient } from './client.ts';
import type { OAuthOptions } from './contract.ts';
import type { Discovered } from './discover.ts';
import { type Members, secondsOf, textOf, wordsOf } from './read-answer.ts';
import type { SignInRecord } from './record.ts';
import { createServiceFetch, patiently } from './service-fetch.ts';
import { ServiceRefusal } from './service-refusal.ts';

export interface Redemption {
  readonly discovered: Discovered;
  readonly client: OAuthClientInformationMixed;
  readonly code: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
}

export interface Redeemed {
  readonly tokens: OAuthTokens;
  /** The client with the way of naming itself that the service took. */
  readonly client: OAuthClientInformationMixed;
}

/** Exchanges a code for tokens; rejects with ServiceRefusal or the failure of the network. */
export function redeem(redemption: Redemption, fetch: Fetch, clock: Clock): Promise<Redeemed> {
  const { discovered, client, code, codeVerifier, redirectUri } = redemption;
  const fetchFn = tokenFetch(fetch, [code, codeVerifier, client.client_secret]);
  return withClient(discovered, client, (target) =>
    patiently(clock, () =>
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

/** Spends the refresh token, once; rejects as `redeem` does. */
export async function refresh(
  record: SignInRecord & { readonly refreshToken: string },
  options: OAuthOptions,
  fetch: Fetch,
): Promise<OAuthTokens> {
  const { authorizationServer, refreshToken, accessToken } = record;
  const client = clientOf(record, options);
  const fetchFn = tokenFetch(fetch, [refreshToken, accessToken, client.client_secret]);
  const { tokens } = await withClient(record, client, (target) =>
    refreshAuthorization(authorizationServer, { ...target, refreshToken, fetchFn }),
  );
  return tokens;
}

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

type Target = ReturnType<typeof targetOf>;

/** A client with a secret names itself in the header or in the body; a service that refuses the one is asked by the other. */
async function withClient(
  { metadata, resource }: Pick<Discovered, 'metadata' | 'resource'>,
  client: OAuthClientInformationMixed,
  exchange: (target: Target) => Promise<OAuthTokens>,
): Promise<Redeemed> {
  const chosen = selectClientAuthMethod(client, metadata?.token_endpoint_auth_methods_supported ?? []);
  const use = async (method: string): Promise<Redeemed> => {
    const used = { ...client, token_endpoint_auth_method: method };
    return { tokens: await exchange(targetOf(used, metadata, resource)), client: used };
  };
  try {
    return await use(chosen);
  } catch (error) {
    const isUnknown =
      error instanceof ServiceRefusal && (error.code === 'invalid_client' || error.status === 401);
    if (!isUnknown || client.client_secret === undefined) throw error;
    return use(chosen === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic');
  }
}

function targetOf(
  clientInformation: OAuthClientInformationMixed,
  metadata: Discovered['metadata'],
  resource: string | undefined,
) {
  // The way is chosen here, so the SDK gets no list to choose from.
  const { token_endpoint_auth_methods_supported: _, ...rest } = metadata ?? {};
  return {
    clientInformation,
    ...(metadata === undefined ? {} : { metadata: rest as NonNullable<Discovered['metadata']> }),
    ...(resource === undefined ? {} : { resource }),
  };
}

function tokenFetch(fetch: Fetch, secrets: readonly (string | undefined)[]): Fetch {
  return createServiceFetch(fetch, {
    read: readTokens,
    secrets: secrets.filter((secret) => secret !== undefined),
  });
}

/** Every member but the token itself may be missing; the kind of token is always taken to be Bearer (RFC 6750). */
function readTokens(answer: Members): OAuthTokens | undefined {
  const places = [answer, ...wrappers.map((name) => answer[name]).filter(isRecord)].map(inSnakeCase);
  const members = places.find(({ access_token: found }) => textOf(found) !== undefined);
  const token = textOf(members?.access_token);
  if (members === undefined || token === undefined) return undefined;
  const [refreshToken, lifetime] = [textOf(members.refresh_token), secondsOf(members.expires_in)];
  const scope = wordsOf(members.scope)?.join(' ');
  return {
    access_token: token,
    token_type: 'Bearer',
    ...(lifetime === undefined ? {} : { expires_in: lifetime }),
    ...(scope === undefined ? {} : { scope }),
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
  };
}

/** Members in which services wrap the whole answer. */
const wrappers = ['data', 'token', 'tokens', 'result', 'response'] as const;

/** Answers of serializers that write `accessToken`; a member under the standard's own name counts before it. */
function inSnakeCase(members: Members): Members {
  const renamed = Object.entries(camelNames).map(([camel, name]) => [name, members[camel]]);
  return { ...Object.fromEntries(renamed.filter(([, value]) => value !== undefined)), ...members };
}

const camelNames = {
  accessToken: 'access_token',
  refreshToken: 'refresh_token',
  expiresIn: 'expires_in',
} as const;

function clientOf({ client }: SignInRecord, options: OAuthOptions): OAuthClientInformationMixed {
  const configured = configuredClient(options);
  return configured?.client_id === client.client_id ? { ...client, ...configured } : client;
}
