import { buildDiscoveryUrls } from '@modelcontextprotocol/sdk/client/auth.js';
import { OAuthMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Fetch } from '../http-connections.ts';
import { withinOrigin } from '../remote/within-origin.ts';
import { addressOf, flagOf, type Members, membersOf, textOf, wordsOf } from './read-answer.ts';
import { failureName } from './sign-in-problem.ts';

export const serverMetadataSchema = OAuthMetadataSchema.extend({
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

/** What an authorization server says of itself (RFC 8414, OpenID Connect Discovery). */
export type ServerMetadata = z.infer<typeof serverMetadataSchema>;

/** Result of a search in the places where metadata may stand. */
export interface Search<T> {
  readonly found?: T;
  /** A place answered, if only that it has nothing. */
  readonly answered: boolean;
  /** The last failure of a place that is not a plain "not here". */
  readonly fault?: string;
}

/**
 * Looks in one place after another. A page, an error, a redirect elsewhere, JSON of another shape and silence all mean
 * that it is not here; two places of one host that cannot be reached stand for the others.
 */
export async function searchPlaces<T>(
  places: readonly URL[],
  fetch: Fetch,
  read: (members: Members) => T | undefined,
): Promise<Search<T>> {
  const search = { answered: false, unreachable: 0, fault: undefined as string | undefined };
  for (const place of places) {
    if (search.unreachable > 1) break;
    try {
      const response = await withinOrigin(fetch)(place, { headers, signal: AbortSignal.timeout(patienceMs) });
      search.answered = true;
      if (response.status >= 500) search.fault = `HTTP ${response.status}`;
      const members = response.ok ? membersOf(await response.text()) : undefined;
      const found = members === undefined ? undefined : read(members);
      if (found !== undefined) return { found, answered: true };
    } catch (error) {
      search.unreachable += 1;
      search.fault = failureName(error);
    }
  }
  const { answered, fault } = search;
  return { answered, ...(fault === undefined ? {} : { fault }) };
}

/**
 * Searches for the metadata of an authorization server. The SDK's own search ends at the first page, and drops what it
 * does not know from OpenID documents, among it the word that answers name their issuer.
 */
export function fetchServerMetadata(
  address: string,
  fetch: Fetch,
  isTrusted: (metadata: ServerMetadata) => boolean,
): Promise<Search<ServerMetadata>> {
  return searchPlaces(serverPlaces(address), fetch, (members) => {
    const metadata = readServerMetadata(members, address);
    return metadata !== undefined && isTrusted(metadata) ? metadata : undefined;
  });
}

function serverPlaces(address: string): readonly URL[] {
  const url = new URL(address);
  const path = url.pathname.replace(/\/$/, '');
  const appended = path === '' ? [] : [new URL(`${path}/.well-known/oauth-authorization-server`, url.origin)];
  return [...buildDiscoveryUrls(address).map((place) => place.url), ...appended];
}

function readServerMetadata(members: Members, address: string): ServerMetadata | undefined {
  const authorizationEndpoint = addressOf(members.authorization_endpoint, address);
  const tokenEndpoint = addressOf(members.token_endpoint, address);
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) return undefined;
  return {
    issuer: textOf(members.issuer) ?? address,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    // An endpoint for authorization and one for tokens serve no other kind; the SDK refuses a list that forgets it.
    response_types_supported: [...new Set([...(wordsOf(members.response_types_supported) ?? []), 'code'])],
    ...present('registration_endpoint', addressOf(members.registration_endpoint, address)),
    ...present('revocation_endpoint', addressOf(members.revocation_endpoint, address)),
    ...list(members, 'scopes_supported'),
    ...present('code_challenge_methods_supported', challengeMethods(members)),
    ...list(members, 'token_endpoint_auth_methods_supported'),
    ...flag(members, 'client_id_metadata_document_supported'),
    ...flag(members, 'authorization_response_iss_parameter_supported'),
  };
}

/** Reads the names as the standard writes them, in capitals. */
function challengeMethods(members: Members): string[] | undefined {
  const methods = wordsOf(members.code_challenge_methods_supported);
  return methods?.map((method) => (method.toUpperCase() === 'S256' ? 'S256' : method));
}

function list<K extends string>(members: Members, name: K): { [key in K]?: string[] } {
  const words = wordsOf(members[name]);
  return present(name, words === undefined ? undefined : [...words]);
}

function flag<K extends string>(members: Members, name: K): { [key in K]?: boolean } {
  return present(name, flagOf(members[name]) || undefined);
}

function present<K extends string, T>(name: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]?: T });
}

const headers = { accept: 'application/json', 'mcp-protocol-version': LATEST_PROTOCOL_VERSION };
/** For one place. */
const patienceMs = 5000;
