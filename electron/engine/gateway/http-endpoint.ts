import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { ungreetedError } from '../../../shared/model/greeting.ts';
import { ancestorsHeader, loopProblem } from '../../../shared/model/loop.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { type JsonRpcId, rpcErrorCodes } from '../rpc/message.ts';
import { answerJson, type HttpRefusal, refuse } from '../transport/http-refusal.ts';
import { type PostedMessages, readHttpBody } from '../transport/http-server-body.ts';
import { sessionOver } from '../transport/http-server-rules.ts';
import { type ConnectionLimits, patientServer } from './http-connections.ts';
import { Acquaintances, guardOrigin, type Place, readBearer, readNames, readPlace } from './http-guard.ts';
import { createHttpSessions, type HttpSessionLimits, type HttpSessions } from './http-sessions.ts';
import type { SessionRegistry } from './session-registry.ts';

export interface HttpEndpointOptions {
  /** Bearer token that local clients show. */
  readonly token: string;
  /** Id of the identity whose own token it is; without it, only the token above is one. */
  readonly identify?: (bearer: string) => string | undefined;
  readonly version: string;
  /** Id of this hub: a request that comes from one of its own servers is refused, see `shared/model/loop.ts`. */
  readonly instanceId: string;
  readonly sessions: Pick<SessionRegistry, 'open'>;
  /** Whether there is a server of this key, running or not. */
  readonly hasServer: (serverKey: string) => boolean;
  readonly hasProfile: (name: string) => boolean;
  /** Asked for every path, once Host and Origin have been looked at. */
  readonly extension?: HttpExtension;
  readonly log: Logger;
  readonly clock: Clock;
  readonly maxBodyBytes?: number;
  readonly limits?: HttpSessionLimits;
  readonly connections?: ConnectionLimits;
}

/** What is served at other paths; it looks at tokens itself. */
export interface HttpExtension {
  handles(pathname: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Answers what was refused before, in its own form. */
  forbid(response: ServerResponse, sentence: string): void;
}

/**
 * Streamable HTTP on 127.0.0.1 and nowhere else: `/mcp` is all servers, `/mcp/servers/{key}` one of them as if directly
 * connected to, `/mcp/profiles/{name}` those of a profile; and `/healthz`.
 */
export interface HttpEndpoint {
  /** The port it is served on; undefined while it is not. */
  readonly port: number | undefined;
  /**
   * Serves on this port (0: any), moving there if it is served elsewhere; sessions move along. Rejects with
   * ProblemError `hub.port_in_use` and leaves the old port serving.
   */
  listen(port: number): Promise<void>;
  /** Cuts every connection; idempotent. Close the sessions first, so that what they say last still leaves. */
  close(): Promise<void>;
}

export function createHttpEndpoint(options: HttpEndpointOptions): HttpEndpoint {
  const { log } = options;
  const sessions = createHttpSessions(options.sessions, options.clock, options.limits);
  const acquaintances = new Acquaintances();
  const retired = new Set<Server>();
  let current: Server | undefined;

  function answer(request: IncomingMessage, response: ServerResponse): void {
    handle(request, response, options, { sessions, acquaintances }).catch((error: unknown) => {
      log.log('warn', 'A request over HTTP failed', { error: String(error) });
      if (response.headersSent) response.destroy();
      else refuse(response, { status: 500, code: rpcErrorCodes.internalError, message: 'Internal error' });
    });
  }

  /** Answers under way on the old port are still given there. */
  function retire(server: Server): void {
    retired.add(server);
    server.close(() => retired.delete(server));
    server.closeIdleConnections();
  }

  return {
    get port() {
      return current === undefined ? undefined : portOf(current);
    },
    async listen(port) {
      if (current !== undefined && portOf(current) === port) return;
      const next = patientServer(answer, options.connections);
      await bind(next, port);
      if (current !== undefined) retire(current);
      current = next;
    },
    async close() {
      const servers = current === undefined ? [...retired] : [...retired, current];
      current = undefined;
      sessions.dispose();
      await Promise.all(servers.map(unbind));
    },
  };
}

/** What is remembered of requests that came before. */
interface Memory {
  readonly sessions: HttpSessions;
  readonly acquaintances: Acquaintances;
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpEndpointOptions,
  { sessions, acquaintances }: Memory,
): Promise<void> {
  const url = urlOf(request);
  if (url === undefined) return refuse(response, badAddress);
  const isKnown = acquaintances.knows(request);
  const stranger = isKnown ? undefined : guardOrigin(request.headers, request.socket.localPort ?? 0);
  const { extension } = options;
  const isExtension = extension?.handles(url.pathname) === true;
  if (stranger !== undefined) {
    return isExtension ? extension.forbid(response, stranger.message) : refuse(response, stranger);
  }
  if (url.pathname === '/healthz') {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return refuse(response, onlyRead);
    return answerJson(response, 200, { status: 'ok', version: options.version });
  }
  if (isExtension) return extension.handle(request, response);
  const path = readPlace(url.pathname);
  if (path === undefined) return refuse(response, notFound);
  const bearer = isKnown ? {} : readBearer(request.headers, options.token, options.identify ?? nobody);
  if ('status' in bearer) return refuse(response, bearer);
  // A token of an identity's own may end at any time.
  if (!isKnown && bearer.identityId === undefined) acquaintances.remember(request);
  const place = bearer.identityId === undefined ? path : { ...path, ...bearer };
  const { only } = place;
  if (only !== undefined && !options.hasServer(only)) return refuse(response, noSuchServer(only));
  if (request.method === 'POST') return post(request, response, { url, place }, options, sessions);
  if (request.method !== 'GET' && request.method !== 'DELETE') return refuse(response, wrongMethod);
  const sessionId = sessionOf(request);
  if (sessionId === undefined) return refuse(response, noSession);
  if (!sessions.has(sessionId, place)) return refuse(response, sessionOver);
  sessions.serve(sessionId, request, response);
}

/** Nearly all requests go to one address, which need not be read anew each time. */
function urlOf({ url = '/' }: IncomingMessage): URL | undefined {
  if (url === '/mcp') return allServers;
  return URL.canParse(url, base) ? new URL(url, base) : undefined;
}

const base = 'http://127.0.0.1';

/** Nobody has a token of their own. */
function nobody(): undefined {}

const allServers = new URL('http://127.0.0.1/mcp');

/** Where a request was sent to. */
interface Destination {
  readonly url: URL;
  readonly place: Place;
}

async function post(
  request: IncomingMessage,
  response: ServerResponse,
  destination: Destination,
  options: HttpEndpointOptions,
  sessions: HttpSessions,
): Promise<void> {
  const body = await readHttpBody(request, options.maxBodyBytes ?? maxBodyBytes);
  if (!body.ok) return refuse(response, body.refusal, body.id);
  const { posted } = body;
  if (posted.isBatch && !takesBatches(request)) return refuse(response, noBatch);
  const [{ method, id = null }] = posted.messages;
  const loop = loopProblem(headerOf(request, ancestorsHeader), options.instanceId);
  if (loop !== undefined) {
    const refusal = { status: 403, code: rpcErrorCodes.invalidRequest, message: loop.sentence };
    return refuse(response, refusal, id, loop);
  }
  const sessionId = sessionOf(request);
  if (sessionId !== undefined && sessions.has(sessionId, destination.place)) {
    return sessions.serve(sessionId, request, response, posted);
  }
  // A client whose session has ended may introduce itself again without forgetting the old id.
  const { profile } = destination.place;
  if (method === 'initialize' && profile !== undefined && !options.hasProfile(profile)) {
    return refuse(response, noSuchProfile(profile), id);
  }
  if (method === 'initialize') return begin(request, response, destination, sessions, posted, id);
  if (sessionId !== undefined) return refuse(response, sessionOver, id);
  refuse(response, method === undefined ? noSession : { status: 400, ...ungreetedError(method) }, id);
}

async function begin(
  request: IncomingMessage,
  response: ServerResponse,
  { url, place }: Destination,
  sessions: HttpSessions,
  posted: PostedMessages,
  id: JsonRpcId | null,
): Promise<void> {
  const names = readNames(url.searchParams);
  if ('status' in names) return refuse(response, names, id);
  const sessionId = await sessions.open({
    ...(names.asked === undefined ? {} : { askedStyle: names.asked }),
    ...(url.searchParams.get('compact') === '1' ? { compact: true } : {}),
    ...place,
  });
  if (sessionId === undefined) return refuse(response, tooMany, id);
  sessions.serve(sessionId, request, response, posted);
  // A refused introduction (no Accept header, say) never told the client its session id.
  if (response.statusCode >= 400) await sessions.end(sessionId);
}

/** Results of up to 50 MB must pass, in both directions, with room for their envelope. */
const maxBodyBytes = 64 * 1024 * 1024;

const code = rpcErrorCodes.invalidRequest;
const notFound: HttpRefusal = {
  status: 404,
  code,
  message:
    'MCP is served at /mcp, /mcp/servers/{key} and /mcp/profiles/{name}; the REST interface is described at /docs',
};
const badAddress: HttpRefusal = { status: 400, code, message: 'The address cannot be read' };
const noSuchProfile = (name: string): HttpRefusal => ({
  status: 404,
  code,
  message: `There is no profile ${JSON.stringify(name)}`,
});
const noSuchServer = (key: string): HttpRefusal => ({
  status: 404,
  code,
  message: `There is no server ${JSON.stringify(key)}`,
});
const noBatch: HttpRefusal = { status: 400, code, message: 'This protocol revision has no batches' };
const noSession: HttpRefusal = { status: 400, code, message: 'The Mcp-Session-Id header is missing' };
const onlyRead: HttpRefusal = {
  status: 405,
  code,
  message: 'Only GET is served here',
  headers: { allow: 'GET, HEAD' },
};
const wrongMethod: HttpRefusal = {
  status: 405,
  code,
  message: 'Only GET, POST and DELETE are served here',
  headers: { allow: 'GET, POST, DELETE' },
};
const tooMany: HttpRefusal = {
  status: 503,
  code: rpcErrorCodes.internalError,
  message: 'Too many sessions are open',
  headers: { 'retry-after': '60' },
};
/** Batches came and went with revision 2025-03-26; clients of it do not name their revision yet. */
function takesBatches(request: IncomingMessage): boolean {
  const revision = headerOf(request, 'mcp-protocol-version');
  return revision === undefined || revision === '2025-03-26';
}

function sessionOf(request: IncomingMessage): string | undefined {
  return headerOf(request, 'mcp-session-id');
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function portOf(server: Server): number | undefined {
  return (server.address() as AddressInfo | null)?.port;
}

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? inUse(port, error) : error);
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', fail);
      resolve();
    });
  });
}

function unbind(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.once('close', resolve);
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function inUse(port: number, cause: unknown): ProblemError {
  const found = problem(
    'hub.port_in_use',
    `Port ${port} is used by another program, so clients cannot connect over HTTP.`,
    'Quit that program, or choose another port in the settings.',
    { address: `127.0.0.1:${port}` },
  );
  return new ProblemError(found, { cause });
}
