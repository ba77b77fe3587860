import { buildDiscoveryUrls } from '@modelcontextprotocol/sdk/client/auth.js';
import { OAuthMetadataSchema } from '@modelcontextprotocol/sdk/shared/auth.js';
import { LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Fetch } from '../http-client/http-connections.ts';
import { acrossOrigins, isRedirect } from '../http-client/within-origin.ts';
import {
  addressOf,
  asReached,
  flagOf,
  type Members,
  membersOf,
  textOf,
  textsOf,
  withWrapped,
} from './read-response.ts';
import { failureName } from './sign-in-problem.ts';

export const serverMetadataSchema = OAuthMetadataSchema.extend({
  authorization_response_iss_parameter_supported: z.boolean().optional(),
});

/** Metadata of an authorization server (RFC 8414, OpenID Connect Discovery). */
export type ServerMetadata = z.infer<typeof serverMetadataSchema>;

/** Result of a search of the addresses where metadata may be. */
export interface MetadataSearch<T> {
  readonly found?: T;
  /** True if any address responded, even with "not found". */
  readonly answered: boolean;
  /** Last failure other than a plain "not found". */
  readonly fault?: string;
  /** Last error of the network. */
  readonly networkFailure?: unknown;
}

/**
 * Tries one address after another. Pages, errors, broken answers, redirects to nowhere, other JSON and timeouts
 * all mean "not here"; after two unreachable addresses the rest are skipped.
 */
export async function searchAddresses<T>(
  places: readonly URL[],
  fetch: Fetch,
  read: (members: Members) => T | undefined,
): Promise<MetadataSearch<T>> {
  const search = { answered: false, unreachable: 0, fault: undefined as string | undefined };
  let networkFailure: unknown;
  for (const place of places) {
    if (search.unreachable > 1) break;
    let isRedirected = false;
    const noted: Fetch = async (...request) => {
      const response = await fetch(...request);
      isRedirected = isRedirect(response);
      return response;
    };
    try {
      const response = await acrossOrigins(noted)(place, {
        headers,
        signal: AbortSignal.timeout(addressTimeoutMs),
      });
      search.answered = true;
      if (response.status >= 500) search.fault = `HTTP ${response.status}`;
      const members = response.ok ? membersOf(await response.text()) : undefined;
      const found = members === undefined ? undefined : read(members);
      if (found !== undefined) return { found, answered: true };
    } catch (error) {
      search.fault = failureName(error);
      if (isRedirected || brokenAnswers.test(search.fault)) search.answered = true;
      else {
        search.unreachable += 1;
        networkFailure = error;
      }
    }
  }
  const { answered, fault } = search;
  return { answered, ...(fault === undefined ? {} : { fault }), networkFailure };
}

/**
 * Searches for the metadata of an authorization server. The SDK's own search stops at the first page and
 * drops unknown members of OpenID documents, among them the one that promises an issuer in answers.
 */
export function fetchServerMetadata(
  address: string,
  fetch: Fetch,
  isTrusted: (metadata: ServerMetadata) => boolean,
): Promise<MetadataSearch<ServerMetadata>> {
  return searchAddresses(metadataAddresses(address), fetch, (members) => {
    const [metadata] = withWrapped(members).flatMap((each) => readServerMetadata(each, address) ?? []);
    return metadata !== undefined && isTrusted(metadata) ? metadata : undefined;
  });
}

function metadataAddresses(address: string): readonly URL[] {
  const url = new URL(address);
  const path = url.pathname.replace(/\/$/, '');
  const appended = path === '' ? [] : [new URL(`${path}/.well-known/oauth-authorization-server`, url.origin)];
  return [...buildDiscoveryUrls(address).map((place) => place.url), ...appended];
}

function readServerMetadata(members: Members, address: string): ServerMetadata | undefined {
  const endpoint = (value: unknown) => {
    const written = addressOf(value, address);
    return written === undefined ? undefined : asReached(written, address);
  };
  const authorizationEndpoint = endpoint(members.authorization_endpoint);
  const tokenEndpoint = endpoint(members.token_endpoint);
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) return undefined;
  return {
    issuer: textOf(members.issuer) ?? address,
    authorization_endpoint: authorizationEndpoint,
    token_endpoint: tokenEndpoint,
    // The two endpoints only make sense for the code flow; the SDK refuses a list that omits `code`.
    response_types_supported: [...new Set([...(textsOf(members.response_types_supported) ?? []), 'code'])],
    ...present('registration_endpoint', endpoint(members.registration_endpoint)),
    ...present('revocation_endpoint', endpoint(members.revocation_endpoint)),
    ...list(members, 'scopes_supported'),
    ...present('code_challenge_methods_supported', challengeMethods(members)),
    ...list(members, 'token_endpoint_auth_methods_supported'),
    ...flag(members, 'client_id_metadata_document_supported'),
    ...flag(members, 'authorization_response_iss_parameter_supported'),
  };
}

/** Normalizes the names to upper case, as in the standard. */
function challengeMethods(members: Members): string[] | undefined {
  const methods = textsOf(members.code_challenge_methods_supported);
  return methods?.map((method) => (/^s(?:ha)?-?256$/i.test(method) ? 'S256' : method));
}

function list<K extends string>(members: Members, name: K): { [key in K]?: string[] } {
  const words = textsOf(members[name]);
  return present(name, words === undefined ? undefined : [...words]);
}

function flag<K extends string>(members: Members, name: K): { [key in K]?: boolean } {
  return present(name, flagOf(members[name]) || undefined);
}

function present<K extends string, T>(name: K, value: T | undefined): { [key in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [key in K]?: T });
}

const headers = { accept: 'application/json', 'mcp-protocol-version': LATEST_PROTOCOL_VERSION };
/** Failures of a host that was reached: closed connections, violations of HTTP, pages too long or wrongly packed. */
const brokenAnswers = /^(?:UND_ERR_SOCKET|ECONNRESET|HPE_\w+|Z_\w+|RangeError)$/;
/** For one address. */
const addressTimeoutMs = 5000;
