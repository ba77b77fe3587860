import type { IncomingMessage, ServerResponse } from 'node:http';
import { notInitializedError } from '../../../../shared/model/client/initialize-result.ts';
import { ancestorsHeader, loopProblem } from '../../../../shared/model/server/loop.ts';
import type { Logger } from '../../base/logger.ts';
import { answerJson, type HttpRefusal, refuse } from '../../transport/http-server/http-refusal.ts';
import {
  type BodyHandler,
  type HttpBody,
  type PostedMessages,
  readHttpBody,
} from '../../transport/http-server/http-server-body.ts';
import { headerOf, sessionNotFound } from '../../transport/http-server/http-server-rules.ts';
import { isModernVersion } from '../../transport/modern/protocol.ts';
import {
  AdmittedConnections,
  type EndpointTarget,
  guardOrigin,
  type HttpSessionOptions,
  readBearer,
  readNames,
  readTarget,
} from './http-guard.ts';
import {
  badAddress,
  batchUnsupported,
  failed,
  getOnly,
  loopRefusal,
  noSuchProfile,
  noSuchServer,
  notFound,
  postOnly,
  sessionIdMissing,
  shuttingDown,
  statelessOnly,
  tooMany,
  wrongMethod,
} from './http-refusals.ts';
import type { HttpSessions } from './http-sessions.ts';
import type { ModernRequests } from './modern-requests.ts';

export interface HttpRequestOptions {
  /** Bearer token of local clients. */
  readonly token: string;
  /** Returns the id of the identity with this token; without it, only the token above is valid. */
  readonly identify?: (bearer: string) => string | undefined;
  readonly version: string;
  /** Id of this hub. Requests from one of its own servers are refused, see `shared/model/server/loop.ts`. */
  readonly instanceId: string;
  /** Checks whether there is a server with this key, running or not. */
  readonly hasServer: (serverKey: string) => boolean;
  readonly hasProfile: (name: string) => boolean;
  /** Consulted for every path, after Host and Origin have been checked. */
  readonly extension?: HttpExtension;
  readonly log: Logger;
  readonly maxBodyBytes?: number;
}

/** Serves other paths, and checks tokens itself. */
export interface HttpExtension {
  handles(pathname: string): boolean;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Loads its modules, so that the first request need not wait for them. */
  preload?(): void;
  /** Refuses a request in its own format. */
  forbid(response: ServerResponse, sentence: string): void;
}

/** The target and the sender of a request. */
interface RequestDestination {
  readonly url: URL;
  readonly target: EndpointTarget;
}

/** Routes each HTTP request to its session. */
export class HttpRequests {
  readonly #options: HttpRequestOptions;
  readonly #sessions: HttpSessions;
  readonly #modern: ModernRequests;
  readonly #admitted = new AdmittedConnections();

  constructor(options: HttpRequestOptions, sessions: HttpSessions, modern: ModernRequests) {
    this.#options = options;
    this.#sessions = sessions;
    this.#modern = modern;
  }

  /** Handles a request; it is always answered. */
  handle(request: IncomingMessage, response: ServerResponse): void {
    try {
      const refusal = this.#admit(request, response);
      if (refusal !== undefined) refuse(response, refusal);
    } catch (error) {
      this.fail(response, error);
    }
  }

  /** Handles the body of a POST to MCP. */
  post(
    request: IncomingMessage,
    response: ServerResponse,
    to: RequestDestination,
    posted: PostedMessages,
  ): void {
    try {
      const refusal = this.#deliver(request, response, to, posted);
      if (refusal !== undefined) refuse(response, refusal, idTextOf(posted));
    } catch (error) {
      this.fail(response, error);
    }
  }

  fail(response: ServerResponse, error: unknown): void {
    this.#options.log.log('warn', 'An HTTP request failed', { error: String(error) });
    if (response.headersSent) response.destroy();
    else refuse(response, failed);
  }

  /** Returns the refusal if the request was not handled, as do the methods below. */
  #admit(request: IncomingMessage, response: ServerResponse): HttpRefusal | undefined {
    const url = urlOf(request);
    if (url === undefined) return badAddress;
    const isKnown = this.#admitted.has(request);
    const originRefusal = isKnown ? undefined : guardOrigin(request);
    const { extension } = this.#options;
    if (extension?.handles(url.pathname) === true) {
      if (originRefusal === undefined) extension.handle(request, response);
      else extension.forbid(response, originRefusal.message);
      return undefined;
    }
    if (originRefusal !== undefined) return originRefusal;
    if (url.pathname === '/healthz') return this.#sendHealth(request, response);
    const path = readTarget(url.pathname);
    if (path === undefined) return notFound;
    // Preflight requests carry no token. Pages from other origins were refused already, and no page can read
    // the response.
    if (request.method === 'OPTIONS') return sendAllowedMethods(response, wrongMethod);
    const target = isKnown ? path : this.#identify(request, path);
    return 'status' in target ? target : this.#serve(request, response, { url, target });
  }

  #sendHealth({ method }: IncomingMessage, response: ServerResponse): HttpRefusal | undefined {
    if (method === 'OPTIONS') return sendAllowedMethods(response, getOnly);
    if (method !== 'GET' && method !== 'HEAD') return getOnly;
    answerJson(response, 200, { status: 'ok', version: this.#options.version });
    return undefined;
  }

  /** Adds the identity of the token to the path. */
  #identify(request: IncomingMessage, path: EndpointTarget): EndpointTarget | HttpRefusal {
    const { token, identify = noIdentity } = this.#options;
    const bearer = readBearer(request.headers, token, identify);
    if ('status' in bearer) return bearer;
    if (bearer.identityId !== undefined) return { ...path, ...bearer };
    // Tokens of identities are checked each time because they may expire.
    this.#admitted.add(request);
    return path;
  }

  #serve(
    request: IncomingMessage,
    response: ServerResponse,
    to: RequestDestination,
  ): HttpRefusal | undefined {
    const { only } = to.target;
    const { hasServer, maxBodyBytes = defaultMaxBodyBytes } = this.#options;
    if (only !== undefined && !hasServer(only)) return noSuchServer(only);
    const { method } = request;
    if (method === 'POST') {
      readHttpBody(request, maxBodyBytes, new PendingPost(this, request, response, to));
      return undefined;
    }
    if (method !== 'GET' && method !== 'DELETE') return wrongMethod;
    if (isStateless(request, to.url)) return postOnly;
    const sessionId = sessionOf(request);
    if (sessionId === undefined) return sessionIdMissing;
    if (this.#sessions.has(sessionId, to.target)) this.#sessions.serve(sessionId, request, response);
    else this.#resume(sessionId, request, response, to);
    return undefined;
  }

  #deliver(
    request: IncomingMessage,
    response: ServerResponse,
    to: RequestDestination,
    posted: PostedMessages,
  ): HttpRefusal | undefined {
    if (posted.isBatch && !supportsBatches(request)) return batchUnsupported;
    const loop = loopProblem(ancestorsOf(request), this.#options.instanceId);
    if (loop !== undefined) return loopRefusal(loop);
    const protocol = to.url.searchParams.get('protocol');
    if (protocol !== 'legacy' && this.#modern.handles(request, posted))
      return this.#serveModern(request, response, to, posted);
    if (protocol === 'modern') return statelessOnly;
    const sessionId = sessionOf(request);
    // A client that initializes again may still send the id of its last session.
    const [{ method }] = posted.messages;
    if (method === 'initialize') return this.#initialize(request, response, to, posted);
    if (sessionId !== undefined && this.#sessions.has(sessionId, to.target)) {
      this.#sessions.serve(sessionId, request, response, posted);
      return undefined;
    }
    if (sessionId !== undefined) {
      this.#resume(sessionId, request, response, to, posted);
      return undefined;
    }
    return method === undefined ? sessionIdMissing : { status: 400, ...notInitializedError(method) };
  }

  /** Resumes a session of an earlier hub, if it is one. */
  #resume(
    sessionId: string,
    request: IncomingMessage,
    response: ServerResponse,
    { target }: RequestDestination,
    posted?: PostedMessages,
  ): void {
    const goOn = async () => {
      const outcome = await this.#sessions.resume(sessionId, target);
      if (outcome === 'taken') this.#sessions.serve(sessionId, request, response, posted);
      else refuse(response, resumeRefusals[outcome], posted && idTextOf(posted));
    };
    goOn().catch((error: unknown) => this.fail(response, error));
  }

  #serveModern(
    request: IncomingMessage,
    response: ServerResponse,
    to: RequestDestination,
    posted: PostedMessages,
  ): HttpRefusal | undefined {
    const sessionOptions = this.#sessionOptions(to);
    if ('status' in sessionOptions) return sessionOptions;
    return this.#modern.serve(request, response, posted, sessionOptions);
  }

  /** Reads what the URL asks for. */
  #sessionOptions({ url, target }: RequestDestination): HttpSessionOptions | HttpRefusal {
    const { profile } = target;
    if (profile !== undefined && !this.#options.hasProfile(profile)) return noSuchProfile(profile);
    const names = readNames(url.searchParams);
    if ('status' in names) return names;
    return { askedStyle: names.requested, compact: url.searchParams.get('compact') === '1', ...target };
  }

  #initialize(
    request: IncomingMessage,
    response: ServerResponse,
    to: RequestDestination,
    posted: PostedMessages,
  ): HttpRefusal | undefined {
    const sessionOptions = this.#sessionOptions(to);
    if ('status' in sessionOptions) return sessionOptions;
    this.#openSession(request, response, posted, sessionOptions).catch((error: unknown) =>
      this.fail(response, error),
    );
    return undefined;
  }

  async #openSession(
    request: IncomingMessage,
    response: ServerResponse,
    posted: PostedMessages,
    sessionOptions: HttpSessionOptions,
  ): Promise<void> {
    const sessionId = await this.#sessions.open(sessionOptions);
    if (sessionId === undefined) {
      refuse(response, tooMany, idTextOf(posted));
      return;
    }
    this.#sessions.serve(sessionId, request, response, posted);
    // A refused `initialize` (no Accept header, say) never told the client its session id.
    if (response.statusCode >= 400) await this.#sessions.end(sessionId);
  }
}

const resumeRefusals = { unknown: sessionNotFound, busy: tooMany, ending: shuttingDown } as const;

class PendingPost implements BodyHandler {
  readonly #requests: HttpRequests;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #to: RequestDestination;

  constructor(
    requests: HttpRequests,
    request: IncomingMessage,
    response: ServerResponse,
    to: RequestDestination,
  ) {
    this.#requests = requests;
    this.#request = request;
    this.#response = response;
    this.#to = to;
  }

  onBody(body: HttpBody): void {
    if (body.ok) this.#requests.post(this.#request, this.#response, this.#to, body.posted);
    else refuse(this.#response, body.refusal, body.idText);
  }

  onError(error: unknown): void {
    this.#requests.fail(this.#response, error);
  }
}

function sendAllowedMethods(response: ServerResponse, { headers }: HttpRefusal): undefined {
  response.writeHead(204, { ...headers, 'cache-control': 'no-store' });
  response.end();
}

/**
 * Parses the URL, without doubled or trailing slashes. Nearly all requests go to the same URL, which is
 * cached.
 */
function urlOf(request: IncomingMessage): URL | undefined {
  const { url: asked = '/' } = request;
  if (asked === '/mcp') return allServers;
  const path = asked.startsWith('//') ? asked.replace(/^\/{1,64}/, '/') : asked;
  if (!URL.canParse(path, base)) return undefined;
  const url = new URL(path, base);
  const pathname = url.pathname.replace(/\/{2,64}/g, '/');
  const isPlain = path === asked && pathname === url.pathname;
  if (isPlain && (pathname === '/' || !pathname.endsWith('/'))) return url;
  url.pathname = pathname.length > 1 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  request.url = `${url.pathname}${url.search}`;
  return url;
}

const base = 'http://127.0.0.1';
const allServers = new URL('http://127.0.0.1/mcp');

function noIdentity(): undefined {}

/** Results of up to 50 MB must pass in both directions, with room for their envelope. */
const defaultMaxBodyBytes = 64 * 1024 * 1024;

/**
 * Only protocol version 2025-03-26 has batches, and clients of that version do not send the version header
 * yet.
 */
function supportsBatches(request: IncomingMessage): boolean {
  const revision = headerOf(request.headers, 'mcp-protocol-version');
  return revision === undefined || revision === '2025-03-26';
}

function idTextOf({ messages: [first] }: PostedMessages): string {
  return first.kind === 'notification' ? 'null' : first.idText;
}

function ancestorsOf({ headers }: IncomingMessage): string | undefined {
  const value = headers[ancestorsHeader];
  return Array.isArray(value) ? value[0] : value;
}

/** Tells whether a request without a body is of the stateless protocol, by its header unless the URL decides. */
function isStateless({ headers }: IncomingMessage, { searchParams }: URL): boolean {
  const protocol = searchParams.get('protocol');
  const isNamed = isModernVersion(headerOf(headers, 'mcp-protocol-version'));
  return protocol === 'modern' || (protocol !== 'legacy' && isNamed);
}

function sessionOf(request: IncomingMessage): string | undefined {
  return headerOf(request.headers, 'mcp-session-id');
}
