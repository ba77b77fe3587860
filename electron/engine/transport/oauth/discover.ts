import { resourceUrlFromServerUrl } from '@modelcontextprotocol/sdk/shared/auth-utils.js';
import type { Fetch } from '../http-client/http-connections.ts';
import { publicUrl } from '../http-client/http-problem.ts';
import { networkError } from '../http-client/network-error.ts';
import { isLoopback } from '../http-client/proxy-rule.ts';
import { isPlainName, isSameIssuer, originOf } from './issuer.ts';
import { findResourceMetadata, type ResourceMetadata } from './resource-metadata.ts';
import { fetchServerMetadata, type ServerMetadata } from './server-metadata.ts';
import { safeAddress, signInFailed } from './sign-in-problem.ts';

/** Describes where and how the user of a server signs in. */
export interface Discovered {
  /** Address of the authorization server, as the server named it. */
  readonly authorizationServer: string;
  /** Absent if none was found: then the default addresses of the first revision are tried. */
  readonly metadata?: ServerMetadata;
  /** Resource indicator to request a token for (RFC 8707). */
  readonly resource?: string;
  /** The service is known to refuse a resource, or the entry says so. */
  readonly refusesResource?: boolean;
  /** Scopes named in the server's own metadata. */
  readonly scopes?: readonly string[];
  /** Error of a lookup that failed, which may be why the metadata is missing. */
  readonly lookupError?: string;
}

export interface DiscoverOptions {
  readonly url: URL;
  /** Taken from the server's refusal. */
  readonly resourceMetadataUrl?: string;
  readonly fetch: Fetch;
}

/**
 * Finds the authorization server of a server and its metadata (RFC 9728, RFC 8414); rejects with
 * ProblemError.
 */
export async function discover(options: DiscoverOptions): Promise<Discovered> {
  const { url, resourceMetadataUrl, fetch } = options;
  const { found: described, otherResource } = await findResourceMetadata(url, resourceMetadataUrl, fetch);
  if (described === undefined && otherResource !== undefined)
    throw describesAnotherServer(url, otherResource);
  const isNamed = described !== undefined && described.authorizationServers.length > 0;
  const service = isNamed
    ? await namedServer(options, described.authorizationServers)
    : await ownServer(options);
  for (const address of [service.authorizationServer, ...endpoints(service.metadata)])
    requireEncryption(url, address);
  return described === undefined ? service : { ...service, ...resourceParts(url, described) };
}

/**
 * Returns the service that the server names in place of this issuer; undefined while it names that one, none,
 * or cannot be asked.
 */
export async function findOtherService(
  { url, resourceMetadataUrl, fetch }: DiscoverOptions,
  issuer: string,
): Promise<string | undefined> {
  const { found } = await findResourceMetadata(url, resourceMetadataUrl, fetch);
  const named = found?.authorizationServers ?? [];
  return named.some((service) => isSameIssuer(issuer, service)) ? undefined : named[0];
}

function resourceParts(url: URL, { resource, scopes }: ResourceMetadata) {
  return {
    resource: resource ?? resourceUrlFromServerUrl(url).href,
    ...(scopes === undefined ? {} : { scopes }),
  };
}

/**
 * Returns the first named service that has metadata, or else the first one with the default addresses of the
 * first revision.
 */
async function namedServer(
  { url, fetch }: DiscoverOptions,
  addresses: readonly string[],
): Promise<Discovered> {
  const failures: Error[] = [];
  let lastFault: string | undefined;
  for (const authorizationServer of addresses.slice(0, maxServices)) {
    requireEncryption(url, authorizationServer);
    let other: string | undefined;
    const isTrusted = ({ issuer }: ServerMetadata) => {
      const isSame = isSameIssuer(issuer, authorizationServer) || isPlainName(issuer);
      if (!isSame) other ??= issuer;
      return isSame;
    };
    const { found, answered, fault } = await fetchServerMetadata(authorizationServer, fetch, isTrusted);
    if (found !== undefined) return { authorizationServer, metadata: found };
    if (other !== undefined) failures.push(namesAnotherIssuer(authorizationServer, other));
    else if (!answered) failures.push(cannotBeAsked(authorizationServer, fault));
    lastFault ??= fault;
  }
  const [failure] = failures;
  if (failure !== undefined) throw failure;
  const [authorizationServer = String(new URL('/', url))] = addresses;
  return { authorizationServer, ...(lastFault === undefined ? {} : { lookupError: lastFault }) };
}

/**
 * Treats the server as its own authorization server, as in the revision before protected-resource metadata.
 * Some of these pass on the metadata of another service.
 */
async function ownServer({ url, fetch }: DiscoverOptions): Promise<Discovered> {
  const authorizationServer = String(new URL('/', url));
  const places = new Set([authorizationServer, `${url.origin}${url.pathname}`]);
  for (const address of places) {
    const { found, answered, networkFailure } = await fetchServerMetadata(address, fetch, () => true);
    if (!answered) requireConnection(url, networkFailure);
    if (found === undefined) continue;
    const isVouched = await vouchesFor(url, found, fetch);
    return {
      authorizationServer,
      metadata: isVouched ? found : { ...found, issuer: authorizationServer },
    };
  }
  return { authorizationServer };
}

/** Throws the network's reason if no connection to the server can be made, as when it is not running. */
function requireConnection(url: URL, failure: unknown): void {
  const lost = failure === undefined ? undefined : networkError(url, failure);
  if (lost?.sent === false) throw lost.cause;
}

/**
 * Returns true if metadata may name its issuer: codes go to that issuer's own origin, or to the endpoint that
 * the issuer itself names. Otherwise any server could pass for another service and be sent its codes.
 */
async function vouchesFor(
  server: URL,
  { issuer, token_endpoint }: ServerMetadata,
  fetch: Fetch,
): Promise<boolean> {
  const origin = originOf(issuer);
  if (origin === undefined || origin === server.origin || origin === originOf(token_endpoint)) return true;
  if (!isEncrypted(server, issuer)) return false;
  const isIssuer = (metadata: ServerMetadata) => isSameIssuer(metadata.issuer, issuer);
  const { found } = await fetchServerMetadata(issuer, fetch, isIssuer);
  return found?.token_endpoint === token_endpoint;
}

/** Limits how many of the services named by a server are asked. */
const maxServices = 3;

function endpoints(metadata: ServerMetadata | undefined): readonly string[] {
  if (metadata === undefined) return [];
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata;
  return [authorization_endpoint, token_endpoint, ...(registration_endpoint ? [registration_endpoint] : [])];
}

/** Returns true for https; plain http is allowed only for a server on this machine, to this machine. */
function isEncrypted(server: URL, address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && isLoopback(url.hostname) && isLoopback(server.hostname);
}

/** Requires encryption for codes and tokens. */
function requireEncryption(server: URL, address: string): void {
  if (isEncrypted(server, address)) return;
  const sentence = 'The sign-in service of this server does not use HTTPS.';
  const fix = 'Ask whoever runs the server to offer its sign-in over HTTPS.';
  throw signInFailed(sentence, fix, { service: safeAddress(address) });
}

function describesAnotherServer(url: URL, resource: string) {
  const sentence = 'The server identifies itself as a different server, so Patchbay does not sign in.';
  const evidence = { url: publicUrl(url), 'describes itself as': safeAddress(resource) };
  return signInFailed(sentence, 'Check the URL of the server.', evidence);
}

function namesAnotherIssuer(expected: string, found: string) {
  const sentence = 'The sign-in service identifies itself by a different name than the server gave.';
  const fix = 'Do not sign in, and report it to whoever runs the server.';
  return signInFailed(sentence, fix, { expected: safeAddress(expected), found: safeAddress(found) });
}

export function cannotBeAsked(authorizationServer: string, fault: string | undefined) {
  const sentence = 'Patchbay could not reach the sign-in service of this server.';
  const evidence = { service: safeAddress(authorizationServer), error: fault };
  return signInFailed(sentence, 'Check your internet connection, or try again later.', evidence);
}
