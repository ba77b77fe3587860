import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { ConnectionClosedError, type JsonRpcId, type JsonRpcMessage, rpcErrorCodes } from '../rpc/message.ts';
import { RawMessage } from '../rpc/raw-message.ts';
import { toValue, type WireMessage } from '../rpc/read-message.ts';
import type { Transport, TransportHandlers } from '../rpc/transport.ts';
import { type Resumption, SessionEventStore } from './event-store.ts';

export interface HttpServerTransport extends Transport {
  /** Told to the client with the answer to `initialize`; 122 random bits. */
  readonly sessionId: string;
  /**
   * Serves one HTTP request of this session: POST carries messages, GET opens the session's own stream, DELETE ends
   * it. Host, Origin, token and the lookup by session id are the caller's. `parsedBody` where the body was read
   * already (the caller bounds its size); else at most `maxBodyBytes` are read. Call `start` first.
   */
  handle(request: IncomingMessage, response: ServerResponse, parsedBody?: unknown): Promise<void>;
}

export interface HttpServerTransportOptions {
  readonly maxBodyBytes?: number;
}

/**
 * One session of a Streamable HTTP client.
 *
 * Every POST that carries a request is answered on its own event stream, so requests of one session run side by side
 * and are answered in whatever order they finish; a second request under an id still in flight is refused (400), for
 * the two could not be told apart. What is sent with `relatedTo` travels on that request's stream while it is open.
 *
 * Everything else (list_changed, resource updates, log messages outside a call) travels on the stream the client
 * opened with GET. A client may never open one: then notifications are kept, the last 32 of them, until it does, and a
 * request is refused as not sent, since no answer could come. A second GET replaces the first stream, which is how a
 * client comes back after a broken connection.
 *
 * The last messages are kept, bounded, so that a client whose stream broke can take it up again with Last-Event-ID.
 */
export function createHttpServerTransport(options: HttpServerTransportOptions = {}): HttpServerTransport {
  return new HttpServerSession(options);
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'open'; readonly handlers: TransportHandlers }
  | { readonly kind: 'closed' };

const KEPT_NOTIFICATIONS = 32;
/** What the SDK calls the stream opened with GET. */
const OWN_STREAM = '_GET_stream';
/** Milliseconds after which a client whose stream broke is to come back. */
const RETRY_MS = 1_000;

class HttpServerSession implements HttpServerTransport {
  readonly sessionId = randomUUID();
  readonly #sdk: WebStandardStreamableHTTPServerTransport;
  readonly #inFlight = new Set<JsonRpcId>();
  readonly #events = new SessionEventStore();
  #state: State = { kind: 'idle' };
  /** The response that carries the stream opened with GET. */
  #stream: ServerResponse | undefined;
  #kept: JsonRpcMessage[] = [];

  constructor({ maxBodyBytes }: HttpServerTransportOptions) {
    this.#sdk = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => this.sessionId,
      eventStore: this.#events,
      retryInterval: RETRY_MS,
      ...(maxBodyBytes === undefined ? {} : { maxRequestBodySize: maxBodyBytes }),
    });
    this.#sdk.onmessage = (message) => this.#receive(message);
    this.#sdk.onerror = (error) => this.#noise(error.message);
    this.#sdk.onclose = () => this.#end();
  }

  async start(handlers: TransportHandlers): Promise<void> {
    if (this.#state.kind !== 'idle') throw notSent('The transport was started or closed before');
    this.#state = { kind: 'open', handlers };
    await this.#sdk.start();
  }

  async send(wire: WireMessage, relatedTo?: JsonRpcId): Promise<void> {
    const message = toValue(wire);
    if (this.#state.kind !== 'open') throw notSent('The session has ended');
    if (!('method' in message)) {
      // The SDK would swallow the error that printing it makes, and the client would wait for ever.
      if (wire instanceof RawMessage && wire.isTooDeep)
        throw notSent('The answer is nested too deep for HTTP');
      return this.#answer(message);
    }
    if (relatedTo !== undefined && this.#inFlight.has(relatedTo)) {
      return this.#write(message, { relatedRequestId: relatedTo });
    }
    if (this.#stream !== undefined) return this.#write(message);
    if ('id' in message) throw notSent('The client has opened no stream to be asked on');
    this.#kept.push(message);
    if (this.#kept.length > KEPT_NOTIFICATIONS) this.#kept.shift();
  }

  async close(): Promise<void> {
    await this.#sdk.close();
    this.#end();
  }

  async handle(request: IncomingMessage, response: ServerResponse, parsedBody?: unknown): Promise<void> {
    if (this.#repeatsId(parsedBody)) return refuseRepeatedId(response);
    if (request.method === 'GET' && this.#isOurs(request)) {
      const resumption = this.#resumptionOf(request);
      if (resumption?.isOver) return this.#replay(resumption, response);
      if (resumption === undefined || resumption.stream === OWN_STREAM) this.#sdk.closeStandaloneSSEStream();
    }
    const serve = getRequestListener((fetchRequest) => this.#respond(fetchRequest, response, parsedBody), {
      overrideGlobalObjects: false,
    });
    await serve(request, response);
  }

  async #respond(request: Request, outgoing: ServerResponse, parsedBody: unknown): Promise<Response> {
    const answer = await this.#sdk.handleRequest(request, parsedBody === undefined ? {} : { parsedBody });
    if (request.method !== 'GET' || answer.status !== 200) return answer;
    const resumed = request.headers.get('last-event-id');
    const stream = resumed === null ? OWN_STREAM : await this.#events.getStreamIdForEventId(resumed);
    if (stream === OWN_STREAM) this.#openStream(outgoing);
    return answer;
  }

  #resumptionOf({ headers }: IncomingMessage): Resumption | undefined {
    const lastId = headers['last-event-id'];
    return typeof lastId === 'string' ? this.#events.resume(lastId) : undefined;
  }

  /** The end of a stream that nothing will follow on; the SDK would leave it open for ever. */
  #replay({ missed }: Resumption, response: ServerResponse): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'mcp-session-id': this.sessionId,
    });
    for (const { id, message } of missed) {
      if (message === undefined) continue;
      response.write(`event: message\nid: ${id}\ndata: ${JSON.stringify(message)}\n\n`);
    }
    response.end();
  }

  #openStream(outgoing: ServerResponse): void {
    this.#stream = outgoing;
    outgoing.once('close', () => {
      if (this.#stream === outgoing) this.#stream = undefined;
    });
    const kept = this.#kept;
    this.#kept = [];
    for (const message of kept) this.#write(message).catch(() => {});
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#state.kind !== 'open') return;
    if ('method' in message && 'id' in message) this.#inFlight.add(message.id);
    // The SDK has checked the message; its type differs from ours only in naming optional members.
    this.#state.handlers.message(message as JsonRpcMessage);
  }

  async #answer(message: JsonRpcMessage): Promise<void> {
    if ('id' in message && message.id !== null) this.#inFlight.delete(message.id);
    await this.#write(message);
  }

  /** The SDK rejects only where a client has gone away without waiting for its answer. */
  async #write(message: JsonRpcMessage, options?: { readonly relatedRequestId: JsonRpcId }): Promise<void> {
    try {
      await this.#sdk.send(message as JSONRPCMessage, options);
    } catch (error) {
      throw new ConnectionClosedError('The client no longer waits on this stream', false, { cause: error });
    }
  }

  #repeatsId(body: unknown): boolean {
    if (typeof body !== 'object' || body === null || !('method' in body) || !('id' in body)) return false;
    return this.#inFlight.has(body.id as JsonRpcId);
  }

  #isOurs(request: IncomingMessage): boolean {
    const accepts = request.headers.accept?.includes('text/event-stream') ?? false;
    return accepts && request.headers['mcp-session-id'] === this.sessionId;
  }

  #noise(text: string): void {
    if (this.#state.kind === 'open') this.#state.handlers.noise?.(text);
  }

  #end(): void {
    const before = this.#state;
    this.#state = { kind: 'closed' };
    this.#kept = [];
    this.#events.clear();
    if (before.kind === 'open') before.handlers.closed();
  }
}

function refuseRepeatedId(response: ServerResponse): void {
  const error = { code: rpcErrorCodes.invalidRequest, message: 'A request with this id is still in flight' };
  response.writeHead(400, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
}

function notSent(message: string): ConnectionClosedError {
  return new ConnectionClosedError(message, false);
}
