import { mcpErrorCodes } from '../../../../shared/model/mcp.ts';
import { delay } from '../../base/clock.ts';
import {
  ConnectionClosedError,
  type JsonRpcErrorObject,
  type JsonRpcFailure,
  rpcErrorCodes,
} from '../../jsonrpc/message.ts';
import { isId, toOwnId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage, RawRequest } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import { mayBeOtherEra } from '../modern/era-watch.ts';
import { AnsweredStreams } from './answered-streams.ts';
import { type LinkContext, maxMessageLength, type RemoteLink } from './contract.ts';
import { cancelledId, type Exchange, Exchanges } from './exchanges.ts';
import {
  type HttpStatusError,
  isTransient,
  notMcp,
  problemBehind,
  ReconnectError,
  SessionGoneError,
  unreachable,
} from './http-problem.ts';
import { discard, mediaType } from './http-request.ts';
import { HttpSession, idempotentMethods, namesSession } from './http-session.ts';
import { brokenAnswer, CutOffError } from './network-error.ts';
import { type Body, openBody, readStart } from './response/body.ts';
import { EventTooLongError, readEvents, type StreamEvent } from './response/event-stream.ts';
import { readEmbedded, readEventData, readMessages, readWhole } from './response/read-body.ts';
import {
  answerFromRefusal,
  answerWithRemedy,
  readHttpRefusal,
  serverWordsOf,
} from './response/read-http-refusal.ts';
import { responseSoon } from './response/response-soon.ts';
import { secretsIn, serverWords } from './response/server-words.ts';
import { SessionStream } from './session-stream.ts';

/**
 * Streamable HTTP: each message is a POST, and the answer to a request comes in the body or stream of its
 * response. Nothing is sent before the first message, which shows whether the server is there.
 */
export class StreamableLink implements RemoteLink {
  readonly #context: LinkContext;
  readonly #session: HttpSession;
  readonly #exchanges = new Exchanges((exchange) => this.#streams.active(exchange));
  readonly #streams: AnsweredStreams;
  readonly #sessionStream: SessionStream;

  constructor(context: LinkContext) {
    this.#context = context;
    this.#session = new HttpSession(context);
    this.#sessionStream = new SessionStream({
      context,
      session: this.#session,
      event: (name, data) => this.#deliverText(name, data),
      missed: () => {
        for (const method of this.#session.listChanges) this.#deliver(toRaw({ jsonrpc: '2.0', method }));
      },
      over: () => {
        for (const exchange of this.#exchanges.awaitingSessionStream())
          this.#failUnanswered(exchange, noAnswer);
      },
    });
    this.#streams = new AnsweredStreams(context.clock, this.#exchanges, () => !this.#sessionStream.isOpen);
    context.signal.addEventListener('abort', () => this.close(), { once: true });
  }

  async send(message: RawMessage): Promise<void> {
    if (message.kind === 'request') return this.#request(message as RawRequest);
    const cancelled = cancelledId(message);
    try {
      const { clock, signal } = this.#context;
      const posted = this.#sessionStream.watch(this.#session.post(message, signal));
      const response = await responseSoon(posted, clock);
      if (response?.ok === false) {
        const isAlone = this.#session.isRefusedAlone(response);
        const refusal = await readHttpRefusal(this.#context, response, message, isAlone);
        throw isAlone ? refusal : await this.#classifyRefusal(refusal, message);
      }
      await discard(response);
    } finally {
      // A cancellation takes effect, whatever the server does with it.
      if (cancelled !== undefined) this.#exchanges.cancel(cancelled);
      if (message.method === 'notifications/initialized') this.#sessionStream.open();
    }
  }

  async endSession(): Promise<void> {
    await this.#session.delete(AbortSignal.timeout(endSessionTimeoutMs));
  }

  close(): void {
    this.#exchanges.close();
    this.#streams.close();
  }

  async #request(message: RawRequest): Promise<void> {
    const exchange = this.#exchanges.begin(message);
    try {
      await this.#requestOnce(exchange).catch((error: unknown) => {
        if (!(error instanceof CutOffError && this.#mayRepeat(exchange))) throw error;
        return this.#requestOnce(exchange);
      });
    } catch (error) {
      // Cancelled or closed in the meantime; the peer already knows.
      if (!this.#exchanges.end(exchange)) return;
      throw error;
    }
  }

  async #requestOnce(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const posted = this.#session.post(request, exchange.controller.signal);
    const response = await this.#sessionStream.watch(posted);
    if (response.ok) return this.#takeResponse(response, exchange);
    const isAlone = this.#session.isRefusedAlone(response);
    const refusal = await readHttpRefusal(this.#context, response, request, isAlone);
    const wanted = isAlone ? await this.#session.remedyFor(request, response, refusal) : undefined;
    if (wanted === undefined) await this.#takeRefusal(refusal, request, exchange, isAlone);
    else this.#answer(answerWithRemedy(refusal, request, wanted), exchange);
  }

  /** Decides whether to repeat, once, a request that the server may have processed: only lists and pings. */
  #mayRepeat(exchange: Exchange): boolean {
    const mayBe = idempotentMethods.has(exchange.method) && !exchange.isRepeated && !exchange.answered;
    exchange.isRepeated ||= mayBe;
    return mayBe;
  }

  /**
   * Handles the response to a request. Its body shows the form; the content type matters only before there is
   * a body.
   */
  async #takeResponse(response: Response, exchange: Exchange): Promise<void> {
    const type = mediaType(response);
    if (type === 'text/event-stream') {
      void this.#follow(openBody(response), exchange);
      return;
    }
    const body = await openBody(response).catch((error: unknown) => {
      throw brokenAnswer(this.#context.url, error);
    });
    if (body.form === 'json') await this.#takeWhole(response, body, exchange);
    else if (body.form === 'events') void this.#follow(Promise.resolve(body), exchange);
    else if (body.form === 'empty' || response.status === 202) {
      await body.cancel();
      await this.#leaveIfUnanswered(response);
      this.#awaitOnSessionStream(exchange);
    } else await this.#takeUnexpected(response, body, exchange);
  }

  /** Waits for the answer after a 202: such a server can only answer on the session stream. */
  #awaitOnSessionStream(exchange: Exchange): void {
    if (this.#sessionStream.isExpected) exchange.awaitsSessionStream = true;
    else this.#failUnanswered(exchange, noAnswer);
  }

  async #takeWhole(response: Response, body: Body, exchange: Exchange): Promise<void> {
    const whole = await readWhole(body, maxMessageLength, this.#context.clock).catch((error: unknown) => {
      if (error instanceof RangeError) return undefined;
      throw brokenAnswer(this.#context.url, error);
    });
    if (whole === undefined) return this.#failTooLong(exchange);
    this.#deliverWhole(whole, exchange);
    const ending = await exchange.verdict;
    if (ending !== undefined) throw ending;
    if (exchange.answered) return;
    await this.#leaveIfUnanswered(response);
    if (response.status === 202) return this.#awaitOnSessionStream(exchange);
    const words = serverWordsOf(this.#context, response, whole);
    const said = words === undefined ? '.' : `, but: ${words}`;
    this.#failUnanswered(exchange, `The server responded without an answer to the request${said}`);
  }

  /** Handles a refusal; the flag means that other requests are answered with the same credentials. */
  async #takeRefusal(
    refusal: HttpStatusError,
    message: RawRequest,
    exchange: Exchange,
    isAlone: boolean,
  ): Promise<void> {
    const judged = isAlone ? refusal : await this.#classifyRefusal(refusal, message);
    // A server that is starting or busy is initialized again later.
    const hasResult = refusal.answer !== undefined && 'result' in refusal.answer;
    const isLater = message.method === 'initialize' && isTransient(refusal.status) && !hasResult;
    if (judged !== refusal || refusal.isUnauthorized || isLater) throw judged;
    const isOurs = refusal.answersById || this.#context.acceptsErrorAnswers();
    const isAlive = isAlone || message.method !== 'ping' || (await this.#isAliveAfter(refusal));
    const answer = isOurs ? answerFromRefusal(refusal, message, isAlive) : undefined;
    if (answer === undefined) throw refusal;
    this.#deliver(toRaw(answer), exchange);
  }

  /** Delivers the answer unchanged, whatever its code may mean elsewhere. */
  #answer(answer: JsonRpcFailure, { id }: Exchange): void {
    const message = toRaw(answer);
    this.#exchanges.received(message);
    this.#context.message(message, id);
  }

  /**
   * Checks a refused ping: a proxy refuses pings too, so the refusal counts only if the server still answers
   * other requests.
   */
  async #isAliveAfter({ answer, status }: HttpStatusError): Promise<boolean> {
    if (answer !== undefined) return true;
    const tellsNothing = !this.#session.hasAnswered && !gatewayStatuses.has(status);
    return tellsNothing || this.#session.answers();
  }

  /** Returns the refusal, or its meaning if the session is unknown: then the message was not processed. */
  async #classifyRefusal(refusal: HttpStatusError, message: RawMessage): Promise<ConnectionClosedError> {
    const { wasKnown } = this.#session;
    const { status, error } = refusal;
    const change = await this.#context.eraChange({ method: message.method, status, error });
    if (change !== undefined) return notActedOn(change);
    if (!(await this.#session.isForgotten(refusal, message))) return refusal;
    return notActedOn(new SessionGoneError(this.#context.url, status, wasKnown));
  }

  /**
   * Ends the session if a missing answer means that it is forgotten; the server may have acted on the
   * request.
   */
  async #leaveIfForgotten(): Promise<void> {
    if (await this.#session.isForgottenAfter('no answer')) this.#context.closed(this.#sessionGone(200));
  }

  /** Does so after a response without an answer, unless the answer may come on the session stream. */
  async #leaveIfUnanswered({ status }: Response): Promise<void> {
    if (status === 200 || !this.#sessionStream.isExpected) await this.#leaveIfForgotten();
  }

  /** Delivers an error that concerns its request; otherwise resolves to the error that ends the session. */
  async #verdictOn(
    message: RawMessage,
    error: JsonRpcErrorObject,
    exchange: Exchange,
  ): Promise<ConnectionClosedError | undefined> {
    const { code, message: words } = error;
    const change = await this.#context.eraChange({ method: exchange.method, status: 200, error });
    if (change !== undefined) return notActedOn(change);
    const isForgotten = await this.#session.isForgottenAfter(code);
    const cause = this.#sessionGone(200);
    if (isForgotten && (notProcessedCodes.has(code) || (code !== serverErrorCode && namesSession(words))))
      return notActedOn(cause);
    this.#exchanges.received(message);
    this.#context.message(message, exchange.id);
    if (isForgotten) this.#context.closed(cause);
    return undefined;
  }

  /** Ends a session because of a message on the stream of a request that was already sent. */
  #endSessionFrom(ending: ConnectionClosedError, exchange: Exchange): void {
    if (!this.#exchanges.end(exchange)) return;
    this.#context.unanswered(exchange.id, ending);
    this.#context.closed(ending.cause instanceof ReconnectError ? ending.cause : this.#sessionGone(200));
  }

  #sessionGone(status: number): SessionGoneError {
    return new SessionGoneError(this.#context.url, status, this.#session.wasKnown);
  }

  async #takeUnexpected(response: Response, body: Body, exchange: Exchange): Promise<void> {
    const start = await readStart(body);
    for (const message of readEmbedded(Buffer.from(start))) this.#deliver(message, exchange, true);
    const ending = await exchange.verdict;
    if (ending !== undefined) throw ending;
    if (exchange.answered) return;
    if (response.status === 200) await this.#leaveIfForgotten();
    const type = mediaType(response);
    const evidence = { 'content type': type === '' ? 'none' : type };
    const words = serverWordsOf(this.#context, response, start);
    const cause = notMcp(this.#context.url, words, type === 'text/html', evidence);
    if (exchange.method === 'ping' && (await this.#session.answers()))
      this.#failUnanswered(exchange, cause.message);
    else throw new ConnectionClosedError(cause.message, true, { cause });
  }

  /**
   * Reads the stream of a request, and resumes it if the server allows that, until the answer has arrived.
   */
  async #follow(first: Promise<Body>, exchange: Exchange): Promise<void> {
    let next: Promise<Body> | undefined = first;
    let end: unknown;
    while (next !== undefined) {
      this.#streams.begin(exchange);
      end = await this.#read(next, exchange).catch((error: unknown) => error);
      this.#streams.ended(exchange);
      if (exchange.answered || exchange.controller.signal.aborted) return;
      if (end instanceof EventTooLongError || end instanceof RangeError) return this.#failTooLong(exchange);
      const response = exchange.lastEventId === undefined ? undefined : await this.#resume(exchange);
      next = response && openBody(response);
    }
    if (end !== undefined && this.#mayRepeat(exchange)) return this.#repeat(exchange);
    if (end === undefined) await this.#leaveIfForgotten();
    const { words = Buffer.alloc(0) } = exchange;
    const said = serverWords(words, '', secretsIn(this.#context.headers));
    const sentence = end === undefined ? noAnswer : brokenAnswer(this.#context.url, end).message;
    this.#failUnanswered(exchange, said === undefined ? sentence : `${sentence} Last output: ${said}`);
  }

  /** Reports a failure as a missing answer, because nobody waits for the sending any more. */
  async #repeat(exchange: Exchange): Promise<void> {
    await this.#requestOnce(exchange).catch((error: unknown) => {
      if (exchange.controller.signal.aborted) return;
      this.#failUnanswered(exchange, problemBehind(this.#context.url, error).message);
    });
  }

  async #read(opening: Promise<Body>, exchange: Exchange): Promise<void> {
    const body = await opening;
    if (body.form === 'json') {
      const whole = await readWhole(body, maxMessageLength, this.#context.clock);
      this.#deliverWhole(whole, exchange);
      return;
    }
    const reader = {
      event: ({ id, name, data }: StreamEvent) => {
        if (id !== undefined && id !== '') exchange.lastEventId = id;
        this.#deliverText(name, data, exchange);
        this.#streams.active(exchange);
        void exchange.verdict?.then((ending) => ending && this.#endSessionFrom(ending, exchange));
      },
      retry: (milliseconds: number) => {
        exchange.retry = milliseconds;
      },
    };
    await readEvents(body.chunks, reader, this.#context.clock);
  }

  /** Resumes the stream of a request; undefined if the server does not provide it. */
  async #resume(exchange: Exchange): Promise<Response | undefined> {
    const { clock, signal: over } = this.#context;
    const { signal } = exchange.controller;
    for (const wait of resumeDelaysMs) {
      await delay(clock, Math.max(wait, exchange.retry), signal);
      if (signal.aborted || over.aborted) return undefined;
      const response = await this.#session.get(exchange.lastEventId, signal).catch(() => undefined);
      if (response?.ok && response.body !== null) return response;
      await discard(response);
      if (response !== undefined && !isTransient(response.status)) return undefined;
    }
    return undefined;
  }

  /**
   * Delivers messages whatever the event is called; other data is reported only where a message was expected.
   */
  #deliverText(name: string, text: string, exchange?: Exchange): void {
    if (text === '') return;
    const messages = readEventData(text);
    if (messages.length === 0 && name === 'message') this.#context.noise(text);
    if (messages.length === 0 && exchange !== undefined) exchange.words = Buffer.from(text);
    for (const message of messages) this.#deliver(message, exchange);
  }

  #deliverWhole(body: Buffer, exchange: Exchange): void {
    const messages = readMessages(body);
    const isAlone = messages.length === 1;
    for (const message of messages) {
      const isMeant = isAlone && hasForeignId(message);
      this.#deliver(isMeant ? message.with({ id: String(exchange.id) }) : message, exchange, isAlone);
    }
  }

  #deliver(message: RawMessage, exchange?: Exchange, isAlone = false): void {
    const meant = exchange === undefined ? message : withRequestId(message, exchange, isAlone);
    if (exchange !== undefined && toOwnId(meant.id) === exchange.id) {
      if (meant.kind === 'result') this.#session.noteResult(exchange.method, meant);
      const error = meant.kind === 'failure' ? meant.error : undefined;
      if (error !== undefined && this.#mayEndConnection(error, exchange)) {
        exchange.answered = true;
        exchange.verdict ??= this.#verdictOn(meant, error, exchange);
        return;
      }
    }
    this.#exchanges.received(meant);
    this.#context.message(meant, exchange?.id);
  }

  #mayEndConnection(error: JsonRpcErrorObject, { method }: Exchange): boolean {
    return (
      this.#session.mayMeanForgotten(error) ||
      (method !== 'initialize' && mayBeOtherEra('legacy', { method, status: 200, error }))
    );
  }

  /** Fails only this call, with the reason; the connection stays open. */
  #failTooLong(exchange: Exchange): void {
    const message = `A message exceeds the limit of ${maxMessageLength} bytes`;
    const error = { code: rpcErrorCodes.internalError, message, data: { limit: maxMessageLength } };
    this.#deliver(toRaw({ jsonrpc: '2.0', id: exchange.id, error }), exchange);
  }

  /** Ends a request that got no answer; a ping only gets an error, because the server did respond. */
  #failUnanswered(exchange: Exchange, sentence: string): void {
    if (exchange.method === 'ping') {
      const error = { code: rpcErrorCodes.internalError, message: sentence };
      this.#deliver(toRaw({ jsonrpc: '2.0', id: exchange.id, error }), exchange);
    } else if (this.#exchanges.end(exchange)) {
      this.#context.unanswered(exchange.id, unreachable(this.#context.url, sentence, {}));
    }
  }
}

/** The failure of a message that the server has refused before it acted on it. */
function notActedOn(cause: ReconnectError): ConnectionClosedError {
  return new ConnectionClosedError(cause.message, false, { cause });
}

/**
 * Assigns a message without an id to the request: an error always, a result only if it is the whole body,
 * because on a stream the right answer may still come.
 */
function withRequestId(message: RawMessage, { id }: Exchange, isAlone: boolean): RawMessage {
  const { kind, error } = message;
  if (message.method !== undefined || (message.id ?? undefined) !== undefined) return message;
  if (kind === 'failure' && error !== undefined) return toRaw({ jsonrpc: '2.0', id, error });
  return isAlone && kind === 'result' ? message.with({ id: String(id) }) : message;
}

/** Returns true for an answer with an id that no request of ours has: a text, or zero. */
function hasForeignId({ kind, id }: RawMessage): boolean {
  if ((kind !== 'result' && kind !== 'failure') || !isId(id)) return false;
  const own = toOwnId(id);
  return own === undefined ? typeof id === 'string' : own === 0;
}

/** Statuses of a proxy, which may mean that the server behind it is down. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/** Error codes sent before a request is acted on, once the session is known to be forgotten. */
const notProcessedCodes: ReadonlySet<number> = new Set([
  mcpErrorCodes.sessionNotFound,
  rpcErrorCodes.invalidRequest,
]);
/** Code for any fault of a server, also after it has acted on a request. */
const serverErrorCode = -32_000;
const endSessionTimeoutMs = 5000;
/**
 * Milliseconds before each try; the first pause is for servers that always ask clients to reconnect at once.
 */
const resumeDelaysMs = [250, 1000, 4000] as const;
const noAnswer = 'The server ended its response without an answer.';
