import { discoverOAuthProtectedResourceMetadata } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthProtectedResourceMetadata } from '@modelcontextprotocol/sdk/shared/auth.js';
import {
  checkResourceAllowed,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/sdk/shared/auth-utils.js';
import type { Fetch } from '../http-connections.ts';
import { publicUrl } from '../http-problem.ts';
import { isLoopback } from '../proxy-rule.ts';
import { fetchServerMetadata, type ServerMetadata } from './server-metadata.ts';
import { failureName, signInFailed } from './sign-in-problem.ts';

/** Where and how the user of a server signs in. */
export interface Discovered {
  /** Address of the authorization server, as the server named it. */
  readonly authorizationServer: string;
  /** Absent only for servers of the first revision, whose addresses are fixed. */
  readonly metadata?: ServerMetadata;
  /** The resource indicator to ask a token for (RFC 8707). */
  readonly resource?: string;
  /** Scopes that the server's own metadata names. */
  readonly scopes?: readonly string[];
}

export interface DiscoverOptions {
  readonly url: URL;
  /** From the server's refusal. */
  readonly resourceMetadataUrl?: string;
  readonly fetch: Fetch;
}

/** Asks a server who may sign its users in, and asks those how (RFC 9728, RFC 8414); rejects with ProblemError. */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const { url } = options;
  const protectedResource = await resourceMetadata(options);
  const found = await (protectedResource === undefined
    ? legacyServer(options)
    : namedServer(options, protectedResource));
  for (const address of [found.authorizationServer, ...endpoints(found.metadata)]) refuseUnsafe(url, address);
  return found;
}

/** At the address that the refusal named, else where it belongs. */
async function resourceMetadata(
  options: DiscoverOptions,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const { url, resourceMetadataUrl, fetch } = options;
  if (resourceMetadataUrl !== undefined) {
    const named = { resourceMetadataUrl };
    const found = await discoverOAuthProtectedResourceMetadata(url, named, fetch).catch(() => undefined);
    if (found !== undefined) return found;
  }
  return discoverOAuthProtectedResourceMetadata(url, {}, fetch).catch(() => undefined);
}

async function namedServer(
  { url, fetch }: DiscoverOptions,
  { resource, authorization_servers = [], scopes_supported }: OAuthProtectedResourceMetadata,
): Promise<Discovered> {
  const requestedResource = resourceUrlFromServerUrl(url);
  if (!checkResourceAllowed({ requestedResource, configuredResource: resource })) {
    const sentence = 'The server describes itself as another server, so it gets no sign-in.';
    const evidence = { url: publicUrl(url), 'describes itself as': publicUrl(new URL(resource)) };
    throw signInFailed(sentence, 'Check the URL of the server.', evidence);
  }
  const [authorizationServer = String(new URL('/', url))] = authorization_servers;
  const metadata = await serverMetadata(authorizationServer, fetch);
  if (metadata === undefined) throw noSignIn(url, authorizationServer);
  if (!isSameIssuer(metadata.issuer, authorizationServer))
    throw otherIssuer(authorizationServer, metadata.issuer);
  return {
    authorizationServer,
    metadata,
    resource,
    ...(scopes_supported === undefined ? {} : { scopes: scopes_supported }),
  };
}

/**
 * A server of the revision before protected-resource metadata stands for its own authorization server. Some of them
 * hand on the metadata of another one; its issuer is believed here, since the server's own origin vouches for it.
 */
async function legacyServer({ url, fetch }: DiscoverOptions): Promise<Discovered> {
  const authorizationServer = String(new URL('/', url));
  const metadata = await serverMetadata(authorizationServer, fetch);
  return { authorizationServer, ...(metadata === undefined ? {} : { metadata }) };
}

async function serverMetadata(
  authorizationServer: string,
  fetch: Fetch,
): Promise<ServerMetadata | undefined> {
  try {
    return await fetchServerMetadata(authorizationServer, fetch);
  } catch (error) {
    const sentence = 'The service that signs you in to this server cannot be asked how.';
    const evidence = { service: safeAddress(authorizationServer), error: failureName(error) };
    throw signInFailed(sentence, 'Try again later.', evidence, error);
  }
}

function endpoints(metadata: ServerMetadata | undefined): readonly string[] {
  if (metadata === undefined) return [];
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  return [authorization_endpoint, token_endpoint, ...(registration_endpoint ? [registration_endpoint] : [])];
}

/** Codes and tokens travel encrypted; only a server on this machine may have them sent around on it. */
function refuseUnsafe(server: URL, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:') return;
  if (url?.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(server.hostname)) return;
  const sentence = 'The service that signs you in to this server does not use https.';
  const fix = 'Ask whoever runs the server to serve its sign-in over https.';
  throw signInFailed(sentence, fix, { service: safeAddress(address) });
}

/** A final slash is what parsing and printing an address may add. */
function isSameIssuer(one: string, other: string): boolean {
  return one === other || `${one}/` === other || one === `${other}/`;
}

function otherIssuer(expected: string, found: string) {
  const sentence = 'The service that signs you in names itself differently than the server named it.';
  const fix = 'Do not sign in; tell whoever runs the server.';
  return signInFailed(sentence, fix, { expected: safeAddress(expected), found: safeAddress(found) });
}

function noSignIn(url: URL, authorizationServer: string) {
  const sentence = 'The server asks for a sign-in but names no service that offers one.';
  const fix = 'If it takes a token instead, put it into the headers of its configuration.';
  return signInFailed(sentence, fix, { url: publicUrl(url), service: safeAddress(authorizationServer) });
}

function safeAddress(address: string): string {
  return URL.canParse(address) ? publicUrl(new URL(address)) : address.slice(0, 100);
}
