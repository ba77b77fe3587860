import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { hubErrorCodes } from '../../../../shared/model/mcp.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { ConnectionClosedError, type JsonRpcId } from '../../jsonrpc/message.ts';
import { isId } from '../../jsonrpc/message-kind.ts';
import { lineOf } from '../../jsonrpc/object-message.ts';
import { RawMessage } from '../../jsonrpc/raw-message.ts';
import type { WireMessage } from '../../jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../jsonrpc/transport.ts';
import { withoutHopKeys } from '../modern/edit-message.ts';
import { type Resumption, SessionEventStore } from './event-store.ts';
import { type HttpRefusal, refuse } from './http-refusal.ts';
import type { PostedMessages } from './http-server-body.ts';
import { HttpExchanges } from './http-server-exchanges.ts';
import {
  type AcceptedForms,
  acceptedForms,
  checkGet,
  checkPost,
  checkSession,
  headerOf,
  invalidRequest,
  sessionNotFound,
} from './http-server-rules.ts';
import { beginEvents, EventStream, UnreadResponses } from './http-server-stream.ts';

export interface HttpServerTransport extends Transport {
  /** Sent to the client with the answer to `initialize`; 122 random bits. */
  readonly sessionId: string;
  /**
   * Serves one HTTP request of this session: POST carries messages, GET opens the session stream, DELETE ends
   * the session. The caller checks Host, Origin and token, finds the session and reads the body. Call `start`
   * first.
   */
  handle(request: IncomingMessage, response: ServerResponse, posted?: PostedMessages): void;
}

/**
 * Creates one session of a Streamable HTTP client, for revisions 2025-03-26 to 2025-11-25.
 *
 * Requests of one session run concurrently and are answered in the order in which they finish; a second
 * request with an id still in flight is refused (400), because the two could not be told apart. The answer to
 * a POST is JSON; it becomes an event stream if something else is sent first with `relatedTo`, or if the
 * answer takes long.
 *
 * Everything else (list_changed, resource updates, log messages outside a call) goes to the stream the client
 * opened with GET. A client may never open one: then the last 32 notifications are queued until it does, and
 * a request is refused as not sent, because no answer could come. A second GET replaces the first stream;
 * clients reconnect this way after a broken connection.
 *
 * A bounded number of events is stored, so that a client whose stream broke can resume it with Last-Event-ID;
 * dropped events are skipped. A broken connection cancels nothing.
 *
 * `endInOrder` handles a DELETE: requests in flight get their answers, then the transport is closed.
 *
 * `resumedId` is the id of a session that an earlier transport issued; its client is already initialized. A
 * stream of that transport can be resumed too: requests sent on it are answered with an error that says what
 * is known.
 */
export function createHttpServerTransport(
  clock: Clock = systemClock,
  endInOrder?: () => Promise<void>,
  resumedId?: string,
): HttpServerTransport {
  return new HttpServerSession(clock, endInOrder, resumedId);
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'open'; readonly handlers: TransportHandlers }
  | { readonly kind: 'closed' };

const MAX_QUEUED_NOTIFICATIONS = 32;
const SESSION_STREAM = 'own';
/** In milliseconds. */
const KEEP_ALIVE_MS = 15_000;

class HttpServerSession implements HttpServerTransport {
  readonly sessionId: string;
  readonly #clock: Clock;
  readonly #endInOrder: () => Promise<void>;
  readonly #exchanges: HttpExchanges;
  readonly #events: SessionEventStore;
  readonly #unread = new UnreadResponses();
  readonly #sessionStream: EventStream;
  /** All open event streams. */
  readonly #streams = new Set<ServerResponse>();
  #state: State = { kind: 'idle' };
  #isInitialized: boolean;
  #queued: Buffer[] = [];
  #keepAliveTimer: Disposable | undefined;

  constructor(clock: Clock, endInOrder: (() => Promise<void>) | undefined, resumedId: string | undefined) {
    this.sessionId = resumedId ?? randomUUID();
    this.#isInitialized = resumedId !== undefined;
    // Greater than any number issued before the restart.
    const first = resumedId === undefined ? 0 : clock.now() * 10;
    this.#events = new SessionEventStore(undefined, first);
    this.#sessionStream = new EventStream(SESSION_STREAM, this.#events, this.#unread);
    this.#clock = clock;
    this.#endInOrder = endInOrder ?? (() => this.close());
    const beginEvents = (response: ServerResponse) => this.#begin(response);
    const { sessionId } = this;
    const session = { sessionId, store: this.#events, unread: this.#unread, beginEvents };
    this.#exchanges = new HttpExchanges(session, clock, first);
  }

  get congestion(): Promise<void> | undefined {
    return this.#unread.congestion;
  }

  async start(handlers: TransportHandlers): Promise<void> {
    if (this.#state.kind !== 'idle') throw notSent('The transport has already been started or closed');
    this.#state = { kind: 'open', handlers };
  }

  send(wire: WireMessage, relatedTo?: JsonRpcId): Promise<void> {
    if (this.#state.kind !== 'open') return Promise.reject(notSent('The session has ended'));
    const message = withoutHopKeys(wire);
    let line: Buffer;
    try {
      line = message instanceof RawMessage ? message.line() : lineOf(message);
    } catch (error) {
      return Promise.reject(notSent('The message cannot be written as JSON', error));
    }
    return this.#route(message, line, relatedTo);
  }

  async close(): Promise<void> {
    this.#end();
  }

  handle(request: IncomingMessage, response: ServerResponse, posted?: PostedMessages): void {
    const refusal = this.#serve(request, response, posted);
    if (refusal !== undefined) refuse(response, refusal, posted && idTextOf(posted));
  }

  /** Returns the refusal, if the request was not processed. */
  #serve(
    request: IncomingMessage,
    response: ServerResponse,
    posted: PostedMessages | undefined,
  ): HttpRefusal | undefined {
    if (this.#state.kind !== 'open') return sessionNotFound;
    const { method, headers } = request;
    if (posted !== undefined) return this.#post(headers, response, posted, acceptedForms(headers));
    const isGet = method === 'GET';
    const refusal = (isGet ? checkGet(headers) : undefined) ?? checkSession(headers, this.#initializedId);
    if (refusal !== undefined) return refusal;
    if (isGet) return this.#listen(headers, response);
    void this.#delete(response);
    return undefined;
  }

  async #delete(response: ServerResponse): Promise<void> {
    await this.#endInOrder().catch(() => {});
    this.#end();
    response.writeHead(200).end();
  }

  get #initializedId(): string | undefined {
    return this.#isInitialized ? this.sessionId : undefined;
  }

  #route(message: WireMessage, line: Buffer, relatedTo: JsonRpcId | undefined): Promise<void> {
    if (!isCall(message)) return this.#answer(message, line);
    const exchange = relatedTo === undefined ? undefined : this.#exchanges.of(relatedTo);
    if (exchange?.takesEvents) return exchange.send(line);
    if (this.#sessionStream.isOpen) return this.#sessionStream.write(line);
    if (message.id !== undefined) {
      return Promise.reject(notSent('The client has not opened a stream for requests'));
    }
    this.#queued.push(line);
    if (this.#queued.length > MAX_QUEUED_NOTIFICATIONS) this.#queued.shift();
    return Promise.resolve();
  }

  #answer(message: WireMessage, line: Buffer): Promise<void> {
    const id = 'id' in message ? message.id : undefined;
    const exchange = isId(id) ? this.#exchanges.take(id) : undefined;
    if (exchange === undefined || !isId(id)) {
      return Promise.reject(notSent('The client no longer waits for this answer'));
    }
    return exchange.answer(line, () => (message instanceof RawMessage ? message.idText : JSON.stringify(id)));
  }

  #post(
    headers: IncomingHttpHeaders,
    response: ServerResponse,
    posted: PostedMessages,
    accepted: AcceptedForms,
  ): HttpRefusal | undefined {
    const { messages } = posted;
    const ids = idsOf(messages);
    const refusal = checkPost(accepted) ?? this.#checkSender(headers, posted) ?? this.#checkIds(ids);
    if (refusal !== undefined) return refusal;
    this.#isInitialized = true;
    if (ids.length > 0) this.#exchanges.add({ ids, headers, response, accepted, isBatch: posted.isBatch });
    for (const message of messages) this.#receive(message);
    if (ids.length === 0) response.writeHead(202).end();
    return undefined;
  }

  #checkSender(headers: IncomingHttpHeaders, { messages }: PostedMessages): HttpRefusal | undefined {
    if (!messages.some(({ method }) => method === 'initialize')) {
      return checkSession(headers, this.#initializedId);
    }
    if (messages.length > 1) return invalidRequest('initialize must be the only message in its request');
    return this.#isInitialized ? invalidRequest('The client has already sent initialize') : undefined;
  }

  #checkIds(ids: readonly JsonRpcId[]): HttpRefusal | undefined {
    const isRepeated =
      (ids.length > 1 && new Set(ids).size < ids.length) ||
      ids.some((id) => this.#exchanges.of(id) !== undefined);
    return isRepeated ? invalidRequest('A request with this id is still in progress') : undefined;
  }

  #receive(message: RawMessage): void {
    if (this.#state.kind !== 'open') return;
    this.#state.handlers.message(message);
    if (message.method === 'notifications/cancelled') this.#cancel(message.params?.requestId);
  }

  /** Frees the id of a cancelled request, which may never be answered. */
  #cancel(id: unknown): void {
    if (typeof id !== 'string' && typeof id !== 'number') return;
    this.#exchanges.take(id)?.cancel();
  }

  #listen(headers: IncomingHttpHeaders, response: ServerResponse): HttpRefusal | undefined {
    const lastId = headerOf(headers, 'last-event-id');
    const found = lastId !== undefined ? this.#events.resume(lastId) : { stream: SESSION_STREAM, missed: [] };
    if (found === undefined) return invalidRequest('This event was never sent');
    if (found.stream === SESSION_STREAM) this.#openSessionStream(response, found.missed);
    else return this.#resume(found, response);
    return undefined;
  }

  #resume({ stream, missed }: Resumption, response: ServerResponse): HttpRefusal | undefined {
    const cutOff = this.#exchanges.idsBefore(stream);
    if (cutOff !== undefined) return this.#answerCutOff(cutOff, response);
    const current = this.#exchanges.ofStream(stream);
    if (current === undefined && !missed.some(({ isAnswer }) => isAnswer)) {
      return invalidRequest('This stream has ended');
    }
    this.#begin(response);
    const carrier = current?.stream ?? new EventStream(stream, this.#events, this.#unread);
    carrier.attach(response, missed);
    if (current === undefined) carrier.end();
    return undefined;
  }

  #answerCutOff(ids: readonly JsonRpcId[], response: ServerResponse): undefined {
    this.#begin(response);
    const carrier = new EventStream(`cut${randomUUID().slice(0, 8)}`, this.#events, this.#unread);
    carrier.attach(response);
    for (const id of ids) void carrier.write(lineOf({ jsonrpc: '2.0', id, error: cutOffError }));
    carrier.end();
  }

  #openSessionStream(response: ServerResponse, missed: Resumption['missed']): void {
    this.#begin(response);
    this.#sessionStream.attach(response, missed);
    const kept = this.#queued;
    this.#queued = [];
    for (const message of kept) void this.#sessionStream.write(message);
  }

  #begin(response: ServerResponse): void {
    beginEvents(response, this.sessionId);
    this.#streams.add(response);
    response.once('close', () => this.#streams.delete(response));
    this.#keepAliveTimer ??= this.#clock.after(KEEP_ALIVE_MS, this.#keepAlive);
  }

  readonly #keepAlive = (): void => {
    for (const response of this.#streams)
      if (response.writableLength === 0) response.write(': keepalive\n\n');
    this.#keepAliveTimer =
      this.#streams.size === 0 ? undefined : this.#clock.after(KEEP_ALIVE_MS, this.#keepAlive);
  };

  #end(): void {
    const before = this.#state;
    if (before.kind === 'closed') return;
    this.#state = { kind: 'closed' };
    this.#keepAliveTimer?.dispose();
    this.#exchanges.end();
    for (const response of this.#streams) response.end();
    this.#queued = [];
    this.#events.clear();
    if (before.kind === 'open') before.handlers.closed();
  }
}

const cutOffError = {
  code: hubErrorCodes.outcomeUnknown,
  message: 'Patchbay restarted during this call; it may or may not have taken effect.',
  data: { code: 'call.outcome_unknown', fix: 'Check whether it took effect before you repeat it.' },
} as const;

/** Returns true for a request or a notification. */
function isCall(message: WireMessage): message is WireMessage & { readonly id?: unknown } {
  return message instanceof RawMessage ? message.method !== undefined : 'method' in message;
}

function idsOf(messages: readonly RawMessage[]): readonly JsonRpcId[] {
  const ids: JsonRpcId[] = [];
  for (const { kind, id } of messages) if (kind === 'request' && isId(id)) ids.push(id);
  return ids;
}

function idTextOf({ messages: [first] }: PostedMessages): string {
  return first.kind === 'request' ? first.idText : 'null';
}

function notSent(message: string, cause?: unknown): ConnectionClosedError {
  return new ConnectionClosedError(message, false, cause === undefined ? {} : { cause });
}
