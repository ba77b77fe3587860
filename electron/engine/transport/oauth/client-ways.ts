import { selectClientAuthMethod } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js';
import { ServiceRefusal } from './service-refusal.ts';

/** A client, and whether it form-encodes its id and secret in the header as RFC 6749 (2.3.1) requires. */
export type TokenClient = OAuthClientInformationMixed & {
  readonly token_endpoint_auth_method?: string | undefined;
  readonly encodesHeader?: boolean | undefined;
};

/**
 * Returns the ways for a client to authenticate at the token endpoint, the most likely first; without a
 * secret there is only one.
 */
export function clientAuthMethods(
  client: TokenClient,
  supported: readonly string[] = [],
): readonly [TokenClient, ...TokenClient[]] {
  const chosen = selectClientAuthMethod(client, [...supported]);
  const first = { ...client, token_endpoint_auth_method: chosen };
  if (client.client_secret === undefined) return [first];
  if (chosen !== 'client_secret_basic')
    return [first, { ...client, token_endpoint_auth_method: 'client_secret_basic' }];
  const other = { ...first, encodesHeader: client.encodesHeader !== true };
  const post = { ...client, token_endpoint_auth_method: 'client_secret_post' };
  return basicCredentials(first) === basicCredentials(other) ? [first, post] : [first, other, post];
}

/** Returns true if the token endpoint refused because it did not recognise the client. */
export function isClientAuthFailure(error: unknown): boolean {
  if (!(error instanceof ServiceRefusal)) return false;
  const { status, code, words = '' } = error;
  if (code === 'invalid_client' || status === 401) return true;
  const isFlaw = code === undefined || code === 'invalid_request';
  return isFlaw && (status === 400 || status === 422) && clientWords.test(words);
}

const clientWords = /\bclient[ _-]?(?:id|secret|credentials|authentication)\b|\bauthorization header\b/i;

/** Adds the client's credentials to a token request. */
export function addClientAuth(client: TokenClient, headers: Headers, body: URLSearchParams): void {
  const { client_id: id, client_secret: secret, token_endpoint_auth_method: method } = client;
  if (method === 'client_secret_basic') {
    headers.set('authorization', `Basic ${Buffer.from(basicCredentials(client)).toString('base64')}`);
    return;
  }
  body.set('client_id', id);
  if (method === 'client_secret_post' && secret !== undefined) body.set('client_secret', secret);
}

function basicCredentials({ client_id: id, client_secret: secret = '', encodesHeader }: TokenClient): string {
  return encodesHeader === true ? `${formEncode(id)}:${formEncode(secret)}` : `${id}:${secret}`;
}

/** Encodes a text as in a form. */
export function formEncode(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2);
}
