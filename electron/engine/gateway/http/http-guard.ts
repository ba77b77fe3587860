import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type NameStyle, nameStyles } from '../../../../shared/model/client/client.ts';
import { rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { HttpRefusal } from '../../transport/http-server/http-refusal.ts';

/**
 * Rejects requests from web pages: a page can make a browser send requests here under its own Origin or, by
 * DNS rebinding, under its own Host. Only programs on this machine that address it as such are admitted.
 */
export function guardOrigin(request: IncomingMessage): HttpRefusal | undefined {
  const { headers, rawHeaders, socket } = request;
  if (hasManyHosts(rawHeaders)) return forbidden('There is more than one Host header');
  if (isOldProgram(request)) return undefined;
  const port = socket.localPort ?? 0;
  if (!isOwnHost(headers.host, port)) return forbidden(foreignHost(headers.host, port));
  if (!isLoopbackOrigin(headers.origin)) return forbidden('Web pages from other origins may not connect');
  return undefined;
}

/** Detects a local program that speaks HTTP/1.0, which has no Host header; every browser sends one. */
function isOldProgram({ httpVersion, headers, socket }: IncomingMessage): boolean {
  const isNameless = headers.host === undefined && headers.origin === undefined;
  return httpVersion === '1.0' && isNameless && socket.remoteAddress === '127.0.0.1';
}

/** Detects duplicate Host headers, of which a proxy may use a different one than Node does. */
function hasManyHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts += 1;
  return hosts > 1;
}

/** The headers with which a connection was admitted. */
type AdmittedHeaders = Pick<IncomingHttpHeaders, 'host' | 'origin' | 'authorization'>;

/** Remembers admitted connections, so that a request with the same headers need not be checked again. */
export class AdmittedConnections {
  readonly #admitted = new WeakMap<Socket, AdmittedHeaders>();

  has({ socket, rawHeaders, headers: { host, origin, authorization } }: IncomingMessage): boolean {
    const admitted = this.#admitted.get(socket);
    return (
      admitted !== undefined &&
      host !== undefined &&
      admitted.host === host &&
      admitted.origin === origin &&
      admitted.authorization === authorization &&
      !hasManyHosts(rawHeaders)
    );
  }

  add({ socket, headers: { host, origin, authorization } }: IncomingMessage): void {
    this.#admitted.set(socket, { host, origin, authorization });
  }
}

/**
 * Matches a token whose scheme is missing or duplicated, because some client settings ask for the header and
 * others for the token.
 */
const tokenPattern = /^(?:Bearer +){0,2}"?([^\s"]+)"? *$/i;

/** The sender of a bearer token: the holder of the endpoint's token, or an identity with its own token. */
export type Bearer = { readonly identityId?: string | undefined };

/** Checks the bearer token in constant time. `identify` looks up identities by their own token. */
export function readBearer(
  headers: IncomingHttpHeaders,
  token: string,
  identify: (bearer: string) => string | undefined,
): Bearer | HttpRefusal {
  const presented = tokenPattern.exec(headers.authorization ?? '')?.[1];
  if (presented !== undefined && timingSafeEqual(sha256(presented), sha256(token))) return {};
  const identityId = presented === undefined ? undefined : identify(presented);
  if (identityId !== undefined) return { identityId };
  const reason = presented === undefined ? '' : ', error="invalid_token"';
  return {
    status: 401,
    code: rpcErrorCodes.invalidRequest,
    message: 'A bearer token is required: copy the connection again from Patchbay',
    headers: { 'www-authenticate': `Bearer realm="patchbay"${reason}` },
  };
}

/** The target of a path (all servers, one server, or a profile) and the identity. */
export interface EndpointTarget extends Bearer {
  readonly only?: string | undefined;
  readonly profile?: string | undefined;
}

/** The options in the URL that a client connects to. */
export interface HttpSessionOptions extends EndpointTarget {
  readonly askedStyle?: NameStyle | undefined;
  readonly compact?: boolean | undefined;
}

/** Returns undefined for unknown paths. Keys and names may be any text, so they are URL-encoded. */
export function readTarget(pathname: string): EndpointTarget | undefined {
  if (pathname === '/mcp') return {};
  const [, kind, encoded] = /^\/mcp\/(servers|profiles)\/([^/]+)$/.exec(pathname) ?? [];
  if (encoded === undefined) return undefined;
  try {
    const name = decodeURIComponent(encoded);
    return kind === 'servers' ? { only: name } : { profile: name };
  } catch {
    return undefined;
  }
}

/** Reads the name style from `?names=`. */
export function readNames(query: URLSearchParams): { readonly requested?: NameStyle } | HttpRefusal {
  const names = query.get('names');
  if (names === null) return {};
  const requested = nameStyles.find((style) => style === names && style !== 'raw');
  if (requested !== undefined) return { requested };
  return { status: 400, code: rpcErrorCodes.invalidParams, message: 'names must be colon, dot or safe' };
}

const loopbackNames: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * Names of the host inside containers and virtual machines, under domains that nobody can register: Docker,
 * Podman, OrbStack, Lima, Rancher Desktop, minikube, k3d.
 */
const containerNames: ReadonlySet<string> = new Set([
  'host.docker.internal',
  'gateway.docker.internal',
  'kubernetes.docker.internal',
  'docker.for.mac.localhost',
  'docker.for.win.localhost',
  'host.containers.internal',
  'host.orb.internal',
  'host.lima.internal',
  'host.rancher-desktop.internal',
  'host.minikube.internal',
  'host.k3d.internal',
]);

/**
 * The port is optional because hand-written clients and some proxies leave it out; a final dot means the same
 * name in DNS.
 */
function isOwnHost(host: string | undefined, port: number): boolean {
  const [, name = '', shown = port] =
    /^(\[[^\]]*\]|[^:]*?)\.?(?::(\d+))?$/.exec(host?.toLowerCase() ?? '') ?? [];
  return (loopbackNames.has(name) || containerNames.has(name)) && Number(shown) === port;
}

function foreignHost(host: string | undefined, port: number): string {
  const named = host
    ? `The Host ${JSON.stringify(host.slice(0, 100))} is not this machine`
    : 'The Host is missing';
  return `${named}; connect to 127.0.0.1:${port}, or to host.docker.internal:${port} from a container`;
}

function isLoopbackOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  return (protocol === 'http:' || protocol === 'https:') && loopbackNames.has(hostname);
}

function forbidden(message: string): HttpRefusal {
  return { status: 403, code: rpcErrorCodes.invalidRequest, message };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
