import { isRecord } from '../../../../shared/json.ts';
import type { Fetch } from '../http-client/http-connections.ts';
import { isLoopback } from '../http-client/proxy-rule.ts';
import { addressOf, asReached, type Members, textsOf, withWrapped } from './read-response.ts';
import { searchAddresses } from './server-metadata.ts';

/** Metadata in which a server names its authorization servers (RFC 9728). */
export interface ResourceMetadata {
  readonly resource?: string;
  readonly authorizationServers: readonly string[];
  readonly scopes?: readonly string[];
}

export interface ResourceSearch {
  readonly found?: ResourceMetadata;
  /** Metadata was found, but it describes this other server. */
  readonly otherResource?: string;
}

/** Searches the address named in the refusal first, then the well-known ones. */
export async function findResourceMetadata(
  url: URL,
  named: string | undefined,
  fetch: Fetch,
): Promise<ResourceSearch> {
  let otherResource: string | undefined;
  const read = (answer: Members) => {
    const [metadata] = withWrapped(answer).flatMap((members) => readResourceMetadata(members, url) ?? []);
    const { resource } = metadata ?? {};
    if (resource === undefined || describes(resource, url)) return metadata;
    otherResource ??= resource;
    return undefined;
  };
  const first = named !== undefined && URL.canParse(named, url.href) ? [[new URL(named, url)]] : [];
  for (const places of [...first, metadataAddresses(url)]) {
    const { found } = await searchAddresses(places, fetch, read);
    if (found !== undefined) return { found };
  }
  return otherResource === undefined ? {} : { otherResource };
}

function metadataAddresses({ pathname, search, origin }: URL): readonly URL[] {
  const wellKnown = '/.well-known/oauth-protected-resource';
  const path = pathname.replace(/\/$/, '');
  const root = new URL(wellKnown, origin);
  if (path === '') return [root];
  return [new URL(`${wellKnown}${path}${search}`, origin), root, new URL(`${path}${wellKnown}`, origin)];
}

/**
 * Ignores a document that names neither the server nor a service. A resource that is no web address
 * (`api://…`) describes no other server, and counts as missing.
 */
function readResourceMetadata(members: Members, server: URL): ResourceMetadata | undefined {
  const services = serversOf(members.authorization_servers ?? members.authorization_server);
  const authorizationServers = services.map((service) => asReached(service, server.href));
  const resource = addressOf(members.resource);
  if (resource === undefined && authorizationServers.length === 0) return undefined;
  const scopes = textsOf(members.scopes_supported);
  return {
    authorizationServers,
    ...(resource === undefined ? {} : { resource }),
    ...(scopes === undefined ? {} : { scopes }),
  };
}

/**
 * Reads addresses; some servers write one without a list, objects with the address in them, or the address of
 * a service's metadata.
 */
function serversOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value])
    .flatMap((item) => addressOf(isRecord(item) ? (item.issuer ?? item.url) : item) ?? [])
    .map((address) => address.replace(metadataPath, ''));
}

/** The part of an address that makes it the one of metadata, before or after the path of the service. */
const metadataPath = /\/\.well-known\/(?:oauth-authorization-server|openid-configuration)(?=\/|$)/;

/**
 * Returns true if a resource is this server or a folder above it. Trailing slashes, and the scheme behind a
 * proxy, often differ; all names of this machine are equal.
 */
function describes(resource: string, server: URL): boolean {
  const described = new URL(resource);
  const isSameHost =
    described.host === server.host ||
    (described.port === server.port && isLoopback(described.hostname) && isLoopback(server.hostname));
  const isSameScheme =
    described.protocol === server.protocol ||
    (described.protocol === 'http:' && server.protocol === 'https:' && server.port === '');
  return isSameHost && isSameScheme && `${folder(server)}/`.startsWith(`${folder(described)}/`);
}

function folder({ pathname }: URL): string {
  return pathname.replace(/\/{1,10}$/, '');
}
