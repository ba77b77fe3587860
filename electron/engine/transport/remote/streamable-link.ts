import { ProblemError } from '../../../../shared/error/problem.ts';
import { delay } from '../../base/clock.ts';
import { ConnectionClosedError, type JsonRpcFailure, rpcErrorCodes } from '../../rpc/message.ts';
import { ownId } from '../../rpc/message-kind.ts';
import type { RawMessage, RawRequest } from '../../rpc/raw-message.ts';
import { toRaw } from '../../rpc/read-message.ts';
import {
  brokenAnswer,
  CutOffError,
  type HttpStatusError,
  isPassing,
  notMcp,
  problemBehind,
  SessionGoneError,
  unreachable,
} from '../http-problem.ts';
import { AnsweredStreams } from './answered-streams.ts';
import { type Body, openBody, readStart } from './body.ts';
import { type LinkContext, longestMessage, type RemoteLink } from './contract.ts';
import { EventTooLongError, readEvents, type StreamEvent } from './event-stream.ts';
import { cancelledId, type Exchange, Exchanges } from './exchanges.ts';
import { discard, mediaType } from './http-request.ts';
import { HttpSession, harmless } from './http-session.ts';
import { readHidden, readMessages, readWhole } from './read-body.ts';
import { answerTo, readRefused, wantingAnswer, wordsOf } from './refused.ts';
import { secretsIn, serverWords } from './server-words.ts';
import { keepSessionStream, type StreamEnd } from './session-stream.ts';

/**
 * Streamable HTTP: each message is a POST, and the answer to a request comes in the body or stream of its
 * response. Nothing is sent before the first message, which shows whether the server is there.
 */
export class StreamableLink implements RemoteLink {
  readonly #context: LinkContext;
  readonly #session: HttpSession;
  readonly #exchanges = new Exchanges((exchange) => this.#streams.heard(exchange));
  readonly #streams: AnsweredStreams;
  /** State of the session stream: not requested yet, requested, open, or unavailable. */
  #ownStream: 'unopened' | 'asked' | 'open' | 'over' = 'unopened';

  constructor(context: LinkContext) {
    this.#context = context;
    this.#session = new HttpSession(context);
    this.#streams = new AnsweredStreams(context.clock, this.#exchanges, () => this.#ownStream !== 'open');
    context.signal.addEventListener('abort', () => this.close(), { once: true });
  }

  async send(message: RawMessage): Promise<void> {
    if (message.kind === 'request') return this.#ask(message as RawRequest);
    const cancelled = cancelledId(message);
    try {
      const response = await this.#heardOf(message);
      if (response?.ok === false) {
        const isAlone = this.#session.refusedAlone(response);
        const refusal = await readRefused(this.#context, response, message, isAlone);
        throw isAlone ? refusal : await this.#judged(refusal, message);
      }
      await discard(response);
    } finally {
      // A cancellation takes effect, whatever the server does with it.
      if (cancelled !== undefined) this.#exchanges.cancel(cancelled);
      if (message.method === 'notifications/initialized') this.#listen();
    }
  }

  /**
   * Sends a message that has no answer. Returns the response; undefined if none comes soon or the connection
   * breaks, since the next request will show whether the server is alive.
   */
  async #heardOf(message: RawMessage): Promise<Response | undefined> {
    const { clock, signal } = this.#context;
    const heard = new AbortController();
    const response = this.#session.post(message, signal).catch((error: unknown) => {
      if (error instanceof ConnectionClosedError && error.cause instanceof ProblemError && error.sent)
        return undefined;
      throw error;
    });
    try {
      const late = delay(clock, noticePatience, heard.signal).then(() => undefined);
      const first = await Promise.race([response, late]);
      if (first === undefined) response.then(discard, () => undefined);
      return first;
    } finally {
      heard.abort();
    }
  }

  async sayGoodbye(): Promise<void> {
    await this.#session.delete(AbortSignal.timeout(farewellMilliseconds));
  }

  close(): void {
    this.#exchanges.close();
    this.#streams.close();
  }

  async #ask(message: RawRequest): Promise<void> {
    const exchange = this.#exchanges.begin(message);
    try {
      await this.#askOnce(exchange).catch((error: unknown) => {
        if (!(error instanceof CutOffError && this.#mayAskAgain(exchange))) throw error;
        return this.#askOnce(exchange);
      });
    } catch (error) {
      // Cancelled or closed in the meantime; the peer already knows.
      if (!this.#exchanges.end(exchange)) return;
      throw error;
    }
  }

  async #askOnce(exchange: Exchange): Promise<void> {
    const { request } = exchange;
    const response = await this.#session.post(request, exchange.controller.signal);
    if (response.ok) return this.#take(response, exchange);
    const isAlone = this.#session.refusedAlone(response);
    const refusal = await readRefused(this.#context, response, request, isAlone);
    const wanted = isAlone ? await this.#session.wantedFor(request, response, refusal) : undefined;
    if (wanted === undefined) await this.#takeRefusal(refusal, request, exchange, isAlone);
    else this.#answer(wantingAnswer(refusal, request, wanted), exchange);
  }

  /** Decides whether to repeat, once, a request that the server may have processed: only lists and pings. */
  #mayAskAgain(exchange: Exchange): boolean {
    const mayBe = harmless.has(exchange.method) && !exchange.isRepeated && !exchange.answered;
    exchange.isRepeated ||= mayBe;
    return mayBe;
  }

  /**
   * Handles the response to a request. Its body shows the form; the content type matters only before there is
   * a body.
   */
  async #take(response: Response, exchange: Exchange): Promise<void> {
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
      if (response.status === 200) await this.#leaveIfForgotten();
      this.#awaitElsewhere(exchange);
    } else await this.#takeUnexpected(response, body, exchange);
  }

  /** Waits for the answer after a 202: such a server can only answer on the session stream. */
  #awaitElsewhere(exchange: Exchange): void {
    if (this.#ownStream === 'asked' || this.#ownStream === 'open') exchange.isElsewhere = true;
    else this.#lose(exchange, noAnswer);
  }

  async #takeWhole(response: Response, body: Body, exchange: Exchange): Promise<void> {
    const whole = await readWhole(body, longestMessage, this.#context.clock).catch((error: unknown) => {
      if (error instanceof RangeError) return undefined;
      throw brokenAnswer(this.#context.url, error);
    });
    if (whole === undefined) return this.#refuseLong(exchange);
    this.#deliverWhole(whole, exchange);
    const ending = await exchange.verdict;
    if (ending !== undefined) throw ending;
    if (exchange.answered) return;
    if (response.status === 202) return this.#awaitElsewhere(exchange);
    const words = wordsOf(this.#context, response, whole);
    const said = words === undefined ? '.' : `, but: ${words}`;
    this.#lose(exchange, `The server responded without an answer to the request${said}`);
  }

  /** Handles a refusal; the flag means that other requests are answered with the same credentials. */
  async #takeRefusal(
    refusal: HttpStatusError,
    message: RawRequest,
    exchange: Exchange,
    isAlone: boolean,
  ): Promise<void> {
    const judged = isAlone ? refusal : await this.#judged(refusal, message);
    // A server that is starting or busy is initialized again later.
    const isLater = message.method === 'initialize' && isPassing(refusal.status);
    if (judged !== refusal || refusal.isUnauthorized || isLater) throw judged;
    const isOurs = refusal.answersById || this.#context.acceptsErrorAnswers();
    const isAlive = isAlone || message.method !== 'ping' || (await this.#isAliveAfter(refusal));
    const answer = isOurs ? answerTo(refusal, message, isAlive) : undefined;
    if (answer === undefined) throw refusal;
    this.#deliver(toRaw(answer), exchange);
  }

  /** Delivers the answer unchanged, whatever its code may mean elsewhere. */
  #answer(answer: JsonRpcFailure, { id }: Exchange): void {
    const message = toRaw(answer);
    this.#exchanges.heard(message);
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
  async #judged(refusal: HttpStatusError, message: RawMessage): Promise<ConnectionClosedError> {
    const { wasKnown } = this.#session;
    if (!(await this.#session.isForgotten(refusal, message))) return refusal;
    const cause = new SessionGoneError(this.#context.url, refusal.status, wasKnown);
    return new ConnectionClosedError(cause.message, false, { cause });
  }

  /**
   * Ends the session if a missing answer means that it is forgotten; the server may have acted on the
   * request.
   */
  async #leaveIfForgotten(): Promise<void> {
    if (await this.#session.isForgottenAfter('no answer')) this.#context.over(this.#gone(200));
  }

  /** Delivers an error that concerns its request; otherwise resolves to the error that ends the session. */
  async #verdictOn(
    message: RawMessage,
    code: number,
    exchange: Exchange,
  ): Promise<ConnectionClosedError | undefined> {
    const isForgotten = await this.#session.isForgottenAfter(code);
    const cause = this.#gone(200);
    if (isForgotten && notTaken.has(code)) return new ConnectionClosedError(cause.message, false, { cause });
    this.#exchanges.heard(message);
    this.#context.message(message, exchange.id);
    if (isForgotten) this.#context.over(cause);
    return undefined;
  }

  /** Ends a session because of a message on the stream of a request that was already sent. */
  #leave(ending: ConnectionClosedError, exchange: Exchange): void {
    if (!this.#exchanges.end(exchange)) return;
    this.#context.lost(exchange.id, ending);
    this.#context.over(this.#gone(200));
  }

  #gone(status: number): SessionGoneError {
    return new SessionGoneError(this.#context.url, status, this.#session.wasKnown);
  }

  async #takeUnexpected(response: Response, body: Body, exchange: Exchange): Promise<void> {
    const start = await readStart(body);
    for (const message of readHidden(Buffer.from(start))) this.#deliver(message, exchange, true);
    const ending = await exchange.verdict;
    if (ending !== undefined) throw ending;
    if (exchange.answered) return;
    if (response.status === 200) await this.#leaveIfForgotten();
    const type = mediaType(response);
    const evidence = { 'content type': type === '' ? 'none' : type };
    const words = wordsOf(this.#context, response, start);
    const cause = notMcp(this.#context.url, words, type === 'text/html', evidence);
    if (exchange.method === 'ping' && (await this.#session.answers())) this.#lose(exchange, cause.message);
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
      this.#streams.over(exchange);
      if (exchange.answered || exchange.controller.signal.aborted) return;
      if (end instanceof EventTooLongError || end instanceof RangeError) return this.#refuseLong(exchange);
      const response = exchange.lastEventId === undefined ? undefined : await this.#resume(exchange);
      next = response && openBody(response);
    }
    if (end !== undefined && this.#mayAskAgain(exchange)) return this.#askAgain(exchange);
    const { words = Buffer.alloc(0) } = exchange;
    const said = serverWords(words, '', secretsIn(this.#context.headers));
    const sentence = end === undefined ? noAnswer : brokenAnswer(this.#context.url, end).message;
    this.#lose(exchange, said === undefined ? sentence : `${sentence} Its last words: ${said}`);
  }

  /** Reports a failure as a missing answer, because nobody waits for the sending any more. */
  async #askAgain(exchange: Exchange): Promise<void> {
    await this.#askOnce(exchange).catch((error: unknown) => {
      if (exchange.controller.signal.aborted) return;
      this.#lose(exchange, problemBehind(this.#context.url, error).message);
    });
  }

  async #read(opening: Promise<Body>, exchange: Exchange): Promise<void> {
    const body = await opening;
    if (body.form === 'json') {
      const whole = await readWhole(body, longestMessage, this.#context.clock);
      this.#deliverWhole(whole, exchange);
      return;
    }
    await readEvents(body.chunks, {
      event: ({ id, name, data }) => {
        if (id !== undefined && id !== '') exchange.lastEventId = id;
        this.#deliverText(name, data, exchange);
        this.#streams.heard(exchange);
        void exchange.verdict?.then((ending) => ending && this.#leave(ending, exchange));
      },
      retry: (milliseconds) => {
        exchange.retry = milliseconds;
      },
    });
  }

  /** Resumes the stream of a request; undefined if the server does not provide it. */
  async #resume(exchange: Exchange): Promise<Response | undefined> {
    const { clock, signal: over } = this.#context;
    const { signal } = exchange.controller;
    for (const wait of resumeWaits) {
      await delay(clock, Math.max(wait, exchange.retry), signal);
      if (signal.aborted || over.aborted) return undefined;
      const response = await this.#session.get(exchange.lastEventId, signal).catch(() => undefined);
      if (response?.ok && response.body !== null) return response;
      await discard(response);
      if (response !== undefined && !isPassing(response.status)) return undefined;
    }
    return undefined;
  }

  /** Opens the session stream. */
  #listen(): void {
    if (this.#ownStream === 'asked' || this.#ownStream === 'open') return;
    this.#ownStream = 'asked';
    const { url, clock, signal, over } = this.#context;
    void keepSessionStream({
      url,
      clock,
      signal,
      over,
      open: async (lastEventId) => {
        const response = await this.#session.get(lastEventId, signal);
        if (!response.ok) await discard(response);
        return response;
      },
      read: (response) => this.#readOwn(response),
      isForgotten: (status) => this.#session.isForgotten({ status, answer: undefined }),
    }).then(() => {
      this.#ownStream = 'over';
      for (const exchange of this.#exchanges.elsewhere()) this.#lose(exchange, noAnswer);
    });
  }

  async #readOwn(response: Response): Promise<StreamEnd> {
    let lastEventId: string | undefined;
    let retry = 0;
    const reader = {
      event: ({ id, name, data }: StreamEvent) => {
        if (id !== undefined && id !== '') lastEventId = id;
        this.#deliverText(name, data);
      },
      retry: (milliseconds: number) => {
        retry = milliseconds;
      },
    };
    this.#ownStream = 'open';
    await readEvents(response.body ?? new ReadableStream(), reader).catch(() => undefined);
    this.#ownStream = 'asked';
    return { lastEventId, retry };
  }

  /**
   * Delivers messages whatever the event is called; other data is reported only where a message was expected.
   */
  #deliverText(name: string, text: string, exchange?: Exchange): void {
    if (text === '') return;
    const messages = readMessages(Buffer.from(text));
    if (messages.length === 0 && name === 'message') this.#context.noise(text);
    if (messages.length === 0 && exchange !== undefined) exchange.words = Buffer.from(text);
    for (const message of messages) this.#deliver(message, exchange);
  }

  #deliverWhole(body: Buffer, exchange: Exchange): void {
    const messages = readMessages(body);
    for (const message of messages) this.#deliver(message, exchange, messages.length === 1);
  }

  #deliver(message: RawMessage, exchange?: Exchange, isAlone = false): void {
    const meant = exchange === undefined ? message : underItsId(message, exchange, isAlone);
    if (exchange !== undefined && ownId(meant.id) === exchange.id) {
      if (meant.kind === 'result') this.#session.proved(exchange.method, meant);
      const code = meant.kind === 'failure' ? meant.error?.code : undefined;
      if (code !== undefined && this.#session.mayForget(code)) {
        exchange.answered = true;
        exchange.verdict ??= this.#verdictOn(meant, code, exchange);
        return;
      }
    }
    this.#exchanges.heard(meant);
    this.#context.message(meant, exchange?.id);
  }

  /** Fails only this call, with the reason; the connection stays open. */
  #refuseLong(exchange: Exchange): void {
    const message = `A message exceeds the limit of ${longestMessage} bytes`;
    const error = { code: rpcErrorCodes.internalError, message, data: { limit: longestMessage } };
    this.#deliver(toRaw({ jsonrpc: '2.0', id: exchange.id, error }), exchange);
  }

  /** Ends a request that got no answer; a ping only gets an error, because the server did respond. */
  #lose(exchange: Exchange, sentence: string): void {
    if (exchange.method === 'ping') {
      const error = { code: rpcErrorCodes.internalError, message: sentence };
      this.#deliver(toRaw({ jsonrpc: '2.0', id: exchange.id, error }), exchange);
    } else if (this.#exchanges.end(exchange)) {
      this.#context.lost(exchange.id, unreachable(this.#context.url, sentence, {}));
    }
  }
}

/**
 * Assigns a message without an id to the request: an error always, a result only if it is the whole body,
 * because on a stream the right answer may still come.
 */
function underItsId(message: RawMessage, { id }: Exchange, isAlone: boolean): RawMessage {
  const { kind, error } = message;
  if (message.method !== undefined || (message.id ?? undefined) !== undefined) return message;
  if (kind === 'failure' && error !== undefined) return toRaw({ jsonrpc: '2.0', id, error });
  return isAlone && kind === 'result' ? message.with({ id: String(id) }) : message;
}

/** Statuses of a proxy, which may mean that the server behind it is down. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);
/** Error codes sent before a request is acted on, once the session is known to be forgotten. */
const notTaken: ReadonlySet<number> = new Set([-32001, rpcErrorCodes.invalidRequest]);
const farewellMilliseconds = 5000;
/** Milliseconds a server may take to accept a message that has no answer; some never do. */
const noticePatience = 3000;
/**
 * Milliseconds before each try; the first pause is for servers that always ask clients to reconnect at once.
 */
const resumeWaits = [250, 1000, 4000] as const;
const noAnswer = 'The server ended its response without an answer.';
