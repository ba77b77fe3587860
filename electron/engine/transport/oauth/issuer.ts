import { isLoopback } from '../http-client/proxy-rule.ts';
import { addressOf, asReached } from './read-response.ts';

/**
 * Returns true if the issuer `named` is the other. Printing an address may change a trailing slash, the case of
 * the host, or the scheme behind a proxy, and this machine has several names; a segment in braces stands for any tenant of a multi-tenant service.
 */
export function isSameIssuer(named: string, other: string): boolean {
  if (named === other) return true;
  if (!URL.canParse(named) || !URL.canParse(other)) return false;
  const [one, two] = [new URL(asReached(named, other)), new URL(other)];
  if (!isSameOrigin(one, two) || one.search !== two.search) return false;
  return hasSegments(segmentsOf(one), segmentsOf(two));
}

/** Returns true if the origins are equal; all names of this machine are. */
function isSameOrigin(one: URL, two: URL): boolean {
  const isThisMachine = isLoopback(one.hostname) && isLoopback(two.hostname);
  return (
    one.origin === two.origin || (isThisMachine && one.protocol === two.protocol && one.port === two.port)
  );
}

/** Returns true for an issuer that is no address, and so cannot be that of another service. */
export function isPlainName(issuer: string): boolean {
  return addressOf(issuer) === undefined;
}

/** An authorization server, by the address that the server named and by its own name. */
export interface NamedService {
  readonly authorizationServer: string;
  readonly metadata?: { readonly issuer: string };
}

/** Returns the issuer to which a client and its tokens belong. */
export function issuerOf({ authorizationServer, metadata }: NamedService): string {
  return metadata?.issuer ?? authorizationServer;
}

/** Issuer of an authorization server, recorded before the browser is sent there (RFC 9207). */
export type ExpectedIssuer =
  /** All spellings that are known: its own, and that of the server. */
  | { readonly kind: 'named'; readonly names: readonly string[] }
  /** The service has no metadata, and so no name. */
  | { readonly kind: 'guessed'; readonly origin: string };

/** Records the issuer of an authorization server. */
export function expectedIssuer({ authorizationServer, metadata }: NamedService): ExpectedIssuer {
  if (metadata === undefined) return { kind: 'guessed', origin: new URL(authorizationServer).origin };
  const { issuer } = metadata;
  const isSpelling = isSameIssuer(issuer, authorizationServer) || isPlainName(issuer);
  return { kind: 'named', names: isSpelling ? [issuer, authorizationServer] : [issuer] };
}

/**
 * Compares the issuer in an answer with the recorded one, as text, since normalizing is forbidden there; only
 * a segment in braces stands for any tenant.
 */
export function isExpectedIssuer(expected: ExpectedIssuer, found: string): boolean {
  if (expected.kind === 'guessed') return originOf(found) === expected.origin;
  const origin = originOf(found);
  return expected.names.some(
    (name) =>
      name === found ||
      (origin !== undefined && origin === originOf(name) && hasSegments(name.split('/'), found.split('/'))),
  );
}

export function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}

const tenantPattern = /^(?:%7B|\{)[a-z]{1,40}(?:%7D|\})$/i;

function hasSegments(segments: readonly string[], others: readonly string[]): boolean {
  return (
    segments.length === others.length &&
    segments.every((segment, index) => segment === others[index] || tenantPattern.test(segment))
  );
}

function segmentsOf({ pathname }: URL): readonly string[] {
  return pathname.replace(/\/$/, '').split('/');
}
