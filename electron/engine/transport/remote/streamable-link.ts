import { delay } from '../../base/clock.ts';
import { ConnectionClosedError, rpcErrorCodes } from '../../rpc/message.ts';
import type { RawMessage, RawRequest } from '../../rpc/raw-message.ts';
import { toRaw } from '../../rpc/read-message.ts';
import { HttpStatusError, isPassing, SessionGoneError, unreachable } from '../http-problem.ts';
import { type LinkContext, longestMessage, type RemoteLink } from './contract.ts';
import { EventTooLongError, readEvents, type StreamEvent } from './event-stream.ts';
import { cancelledId, type Exchange, Exchanges } from './exchanges.ts';
import { bodyOf, discard, mediaType, request } from './http-request.ts';
import { readMessages, readRefusal, readWhole } from './read-body.ts';
import { keepSessionStream, type StreamEnd } from './session-stream.ts';

/**
 * Streamable HTTP: each message is a POST, the answer to a request comes in the body of its response or on the stream
 * that it is. Nothing is said before the first message, which shows whether the server is there.
 */
export class StreamableLink implements RemoteLink {
  readonly #context: LinkContext;
  readonly #exchanges = new Exchanges();
  #sessionId: string | undefined;
  /** The server has taken something in this session, so that it knew it once. */
  #wasKnown = false;
  /** One question for all messages that were refused. */
  #asking: Promise<boolean> | undefined;
  /** The session's own stream: before it is asked for, while it is kept open, and once it cannot be had. */
  #ownStream: 'unopened' | 'kept' | 'over' = 'unopened';

  constructor(context: LinkContext) {
    this.#context = context;
    context.signal.addEventListener('abort', () => this.close(), { once: true });
  }

  async send(message: RawMessage): Promise<void> {
    if (message.kind === 'request') return this.#ask(message as RawRequest);
    const response = await this.#post(message, this.#context.signal);
    if (!response.ok) throw await this.#judged(await this.#refusal(response));
    await discard(response);
    const cancelled = cancelledId(message);
    if (cancelled !== undefined) this.#exchanges.cancel(cancelled);
    if (message.method === 'notifications/initialized') this.#listen();
  }

  async sayGoodbye(): Promise<void> {
    if (this.#sessionId === undefined) return;
    const signal = AbortSignal.timeout(farewellMilliseconds);
    await discard(
      await request(this.#context, this.#context.url, { method: 'DELETE', headers: this.#headers(), signal }),
    );
  }

  close(): void {
    this.#exchanges.close();
  }

  async #ask(message: RawRequest): Promise<void> {
    const exchange = this.#exchanges.begin(message.id);
    try {
      const response = await this.#post(message, exchange.controller.signal);
      await this.#take(response, exchange);
    } catch (error) {
      // Cancelled or closed meanwhile: whoever did that has told the peer.
      if (!this.#exchanges.end(exchange)) return;
      throw error;
    }
  }

  async #post(message: RawMessage, signal: AbortSignal): Promise<Response> {
    const headers = this.#headers();
    headers.set('content-type', 'application/json');
    headers.set('accept', 'application/json, text/event-stream');
    const { url } = this.#context;
    const response = await request(this.#context, url, {
      method: 'POST',
      headers,
      body: bodyOf(message),
      signal,
    });
    this.#wasKnown ||= response.ok && this.#sessionId !== undefined;
    this.#sessionId = response.headers.get('mcp-session-id') ?? this.#sessionId;
    return response;
  }

  #headers(): Headers {
    const version = this.#context.protocolVersion();
    const headers = new Headers({ ...this.#context.headers });
    if (this.#sessionId !== undefined) headers.set('mcp-session-id', this.#sessionId);
    if (version !== undefined) headers.set('mcp-protocol-version', version);
    return headers;
  }

  /** What the server made of a request. */
  async #take(response: Response, exchange: Exchange): Promise<void> {
    if (!response.ok) return this.#takeRefusal(response, exchange);
    if (response.status === 202 || response.body === null) {
      await discard(response);
      return this.#awaitElsewhere(exchange);
    }
    const type = mediaType(response);
    if (type === 'text/event-stream') void this.#follow(response, exchange);
    else if (type === 'application/json') await this.#takeWhole(response, exchange);
    else throw await this.#unexpected(response, type);
  }

  /** 202 is no answer: a server that accepts a request this way can only answer on the session's own stream. */
  #awaitElsewhere(exchange: Exchange): void {
    if (this.#ownStream === 'kept') exchange.isElsewhere = true;
    else this.#lose(exchange, noAnswer);
  }

  async #takeWhole(response: Response, exchange: Exchange): Promise<void> {
    const body = await readWhole(response, longestMessage).catch((error: unknown) => {
      if (error instanceof RangeError) return undefined;
      throw this.#broken('The answer of the server broke off.');
    });
    if (body === undefined) return this.#refuseLong(exchange);
    for (const message of readMessages(body)) this.#deliver(message, exchange);
    if (!exchange.answered) this.#lose(exchange, 'The server answered without an answer to the request.');
  }

  async #takeRefusal(response: Response, exchange: Exchange): Promise<void> {
    const refusal = await this.#refusal(response, exchange);
    const judged = await this.#judged(refusal);
    const { answer, status } = refusal;
    const isAnswer = judged === refusal && !neverAnswers.has(status) && this.#context.acceptsErrorAnswers();
    if (answer === undefined || !isAnswer) throw judged;
    this.#deliver(toRaw(answer), exchange);
  }

  /** The same, or what it means where the session is no longer known: then the message was not taken. */
  async #judged(refusal: HttpStatusError): Promise<ConnectionClosedError> {
    if (!(await this.#isForgotten(refusal.status))) return refusal;
    const cause = new SessionGoneError(this.#context.url);
    return new ConnectionClosedError(cause.message, false, { cause });
  }

  /** By the protocol 404 says so; many servers say 400, to a ping as well, which they would not refuse else. */
  async #isForgotten(status: number): Promise<boolean> {
    if (status === 404) return this.#sessionId !== undefined;
    if (status !== 400 || !this.#wasKnown) return false;
    this.#asking ??= this.#refusesPing().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #refusesPing(): Promise<boolean> {
    const signal = AbortSignal.any([this.#context.signal, AbortSignal.timeout(pingMilliseconds)]);
    const response = await this.#post(ping, signal).catch(() => undefined);
    await discard(response);
    return response?.status === 400 || response?.status === 404;
  }

  async #refusal(response: Response, exchange?: Exchange): Promise<HttpStatusError> {
    const body = await readWhole(response, longestRefusal).catch(() => Buffer.alloc(0));
    return new HttpStatusError(this.#context.url, response, exchange && readRefusal(body, exchange.id));
  }

  async #unexpected(response: Response, type: string): Promise<ConnectionClosedError> {
    await discard(response);
    const evidence = { 'content type': type === '' ? 'none' : type };
    return this.#broken('The server did not answer as an MCP server does.', evidence);
  }

  /** The server has the request, but no answer is to be had of it. */
  #broken(sentence: string, evidence: Readonly<Record<string, string>> = {}): ConnectionClosedError {
    const cause = unreachable(this.#context.url, sentence, evidence);
    return new ConnectionClosedError(cause.message, true, { cause });
  }

  /** Reads the stream of a request, and takes it up again where the server allows that, until the answer has come. */
  async #follow(first: Response, exchange: Exchange): Promise<void> {
    let response: Response | undefined = first;
    while (response !== undefined) {
      const end = await this.#read(response, exchange).catch((error: unknown) => error);
      if (exchange.answered || exchange.controller.signal.aborted) return;
      if (end instanceof EventTooLongError) return this.#refuseLong(exchange);
      response = exchange.lastEventId === undefined ? undefined : await this.#resume(exchange);
    }
    this.#lose(exchange, noAnswer);
  }

  async #read(response: Response, exchange: Exchange): Promise<void> {
    await readEvents(response.body ?? new ReadableStream(), {
      event: ({ id, name, data }) => {
        if (id !== undefined && id !== '') exchange.lastEventId = id;
        if (name === 'message' && data !== '') this.#deliverText(data, exchange);
      },
      retry: (milliseconds) => {
        exchange.retry = milliseconds;
      },
    });
  }

  /** The stream of a request from where it ended; undefined where the server does not give it. */
  async #resume(exchange: Exchange): Promise<Response | undefined> {
    const { clock, signal: over } = this.#context;
    const { signal } = exchange.controller;
    for (const wait of resumeWaits) {
      await delay(clock, Math.max(wait, exchange.retry), signal);
      if (signal.aborted || over.aborted) return undefined;
      const response = await this.#open(exchange.lastEventId, signal).catch(() => undefined);
      if (response?.ok && response.body !== null) return response;
      await discard(response);
      if (response !== undefined && !isPassing(response.status)) return undefined;
    }
    return undefined;
  }

  #open(lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = this.#headers();
    headers.set('accept', 'text/event-stream');
    if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
    return request(this.#context, this.#context.url, { method: 'GET', headers, signal });
  }

  /** The session's own stream. */
  #listen(): void {
    if (this.#ownStream === 'kept') return;
    this.#ownStream = 'kept';
    const { url, clock, signal, over } = this.#context;
    void keepSessionStream({
      url,
      clock,
      signal,
      over,
      open: async (lastEventId) => {
        const response = await this.#open(lastEventId, signal);
        if (!response.ok) await discard(response);
        return response;
      },
      read: (response) => this.#readOwn(response),
      isForgotten: (status) => this.#isForgotten(status),
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
        if (name === 'message' && data !== '') this.#deliverText(data);
      },
      retry: (milliseconds: number) => {
        retry = milliseconds;
      },
    };
    await readEvents(response.body ?? new ReadableStream(), reader).catch(() => undefined);
    return { lastEventId, retry };
  }

  #deliverText(text: string, exchange?: Exchange): void {
    const messages = readMessages(Buffer.from(text));
    if (messages.length === 0) this.#context.noise(text);
    for (const message of messages) this.#deliver(message, exchange);
  }

  #deliver(message: RawMessage, exchange?: Exchange): void {
    this.#exchanges.heard(message);
    this.#context.message(message, exchange?.id);
  }

  /** The one call fails, saying why; the server lives on. */
  #refuseLong(exchange: Exchange): void {
    const message = `A message is over the limit of ${longestMessage} bytes`;
    const error = { code: rpcErrorCodes.internalError, message, data: { limit: longestMessage } };
    this.#deliver(toRaw({ jsonrpc: '2.0', id: exchange.id, error }), exchange);
  }

  #lose(exchange: Exchange, sentence: string): void {
    if (this.#exchanges.end(exchange)) {
      this.#context.lost(exchange.id, unreachable(this.#context.url, sentence, {}));
    }
  }
}

/** These tell of the session and of the credentials, not of the request, whatever is in their body. */
const neverAnswers: ReadonlySet<number> = new Set([401, 404]);
const farewellMilliseconds = 5000;
const pingMilliseconds = 5000;
/** The peer counts its requests, so no other has this id. */
const ping = toRaw({ jsonrpc: '2.0', id: 'is the session known', method: 'ping' });
/** Before each try; the first is a pause for servers that ask to be returned to at once, each time. */
const resumeWaits = [250, 1000, 4000] as const;
const longestRefusal = 64 * 1024;
const noAnswer = 'The server ended its response without an answer.';
