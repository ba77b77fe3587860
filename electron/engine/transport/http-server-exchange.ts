import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { ConnectionClosedError, type JsonRpcId } from '../rpc/message.ts';
import { SENT } from '../rpc/transport.ts';
import type { SessionEventStore } from './event-store.ts';
import { refuse } from './http-refusal.ts';
import { type AcceptedForms, headerOf, sessionOver, understandsPriming } from './http-server-rules.ts';
import { EventStream, type Line, sizeOf, textOf, type UnreadResponses } from './http-server-stream.ts';

/** A POST that is to be answered. */
export interface ExchangeRequest {
  /** Number of the POST, unique within the session. */
  readonly number: number;
  readonly headers: IncomingHttpHeaders;
  readonly accepted: AcceptedForms;
  readonly response: ServerResponse;
  /** Of its requests; not empty. */
  readonly ids: readonly JsonRpcId[];
  readonly isBatch: boolean;
  /** When it came. */
  readonly tick: number;
}

/** What the exchanges of one session have in common. */
export interface ExchangeSession {
  readonly sessionId: string;
  readonly store: SessionEventStore;
  readonly unread: UnreadResponses;
  /** Writes the head of an event stream. */
  readonly begin: (response: ServerResponse) => void;
}

/**
 * One POST with requests, until all of them are answered. The answer is plain JSON if it is the first thing to be said
 * and comes soon; else it is the last event of a stream.
 */
export class HttpExchange {
  readonly #request: ExchangeRequest;
  readonly #session: ExchangeSession;
  #stream: EventStream | undefined;
  #key: string | undefined;
  #phase: 'silent' | 'stream' | 'over' = 'silent';
  #unanswered: number;
  /** Answers of a batch that wait for the others. */
  #held: Line[] | undefined;

  constructor(request: ExchangeRequest, session: ExchangeSession) {
    this.#request = request;
    this.#session = session;
    this.#unanswered = request.ids.length;
    if (!request.accepted.json) this.open();
  }

  /**
   * Names its stream within the session. It says which requests are answered there, so that a transport that comes after
   * this one knows as well.
   */
  get key(): string {
    const { number, ids } = this.#request;
    this.#key ??= `${number}${idsInKey(ids)}`;
    return this.#key;
  }

  get tick(): number {
    return this.#request.tick;
  }

  get stream(): EventStream {
    this.#stream ??= new EventStream(this.key, this.#session.store, this.#session.unread);
    return this.#stream;
  }

  /** Whether something else than the answer can be said to this client. */
  get takesEvents(): boolean {
    return this.#request.accepted.events && this.#phase !== 'over';
  }

  /** Begins the stream, if it can be and has not begun: a client should not hear nothing for long. */
  open(): void {
    const { accepted, headers, response } = this.#request;
    if (this.#phase !== 'silent' || !accepted.events || response.closed) return;
    this.#phase = 'stream';
    this.#session.begin(response);
    this.stream.attach(response);
    if (understandsPriming(headers)) this.stream.prime();
    for (const line of this.#held ?? []) this.stream.write(line);
  }

  tell(message: Line): Promise<void> {
    this.open();
    return this.#phase === 'stream' ? this.stream.write(message) : gone();
  }

  /** `idText` gives the id of the request as JSON. */
  answer(message: Line, idText: () => string): Promise<void> {
    this.#unanswered -= 1;
    const isLast = this.#unanswered === 0;
    if (this.#phase === 'stream') {
      const sent = this.stream.write(message, idText());
      if (isLast) this.end();
      return sent;
    }
    if (!this.#request.isBatch) return this.#answerAsJson(message);
    this.#held ??= [];
    this.#held.push(message);
    return isLast ? this.#answerAsJson([listOf(this.#held)]) : SENT;
  }

  /** Ends what the client is still given; it can take up nothing of it again. */
  end(): void {
    if (this.#phase === 'silent')
      refuse(this.#request.response, sessionOver, JSON.stringify(this.#request.ids[0]));
    this.#phase = 'over';
    this.#stream?.end();
  }

  /**
   * The client has said that it no longer wants an answer, and may or may not go on listening. With the last of them the
   * exchange is over: a stream left open would stay so for as long as the session.
   */
  cancel(): void {
    this.#unanswered -= 1;
    if (this.#unanswered > 0 || this.#phase === 'over') return;
    if (this.#phase === 'stream') this.end();
    else if (this.#held !== undefined) this.#answerAsJson([listOf(this.#held)]).catch(ignore);
    else this.#dismiss();
  }

  /** Not primed: there is nothing to come back for. */
  #dismiss(): void {
    this.#phase = 'over';
    this.#session.begin(this.#request.response);
    this.#request.response.end();
  }

  #answerAsJson(body: Line): Promise<void> {
    const { response, headers } = this.#request;
    this.#phase = 'over';
    if (response.closed) return gone();
    const length = sizeOf(body);
    const told = { 'content-type': 'application/json', 'content-length': length };
    const { sessionId } = this.#session;
    // Only a request that introduces a client names no session.
    const isNew = headerOf(headers, 'mcp-session-id') !== sessionId;
    response.writeHead(200, isNew ? { ...told, 'mcp-session-id': sessionId } : told);
    if (length > GATHERED_BYTES) writeAll(response, body);
    else response.end(textOf(body), 'latin1');
    return this.#session.unread.left(response);
  }
}

/** Text leaves together with the head, at less cost than bytes do; as Latin-1 it is the same bytes. */
const GATHERED_BYTES = 16 * 1024;

/** It has gone, and wanted nothing any more. */
const ignore = () => {};

function writeAll(response: ServerResponse, pieces: Line): void {
  for (const piece of pieces) response.write(piece);
  response.end();
}

function listOf(messages: readonly Line[]): Buffer {
  return Buffer.from(`[${messages.map(textOf).join(',')}]`, 'latin1');
}

function gone(): Promise<never> {
  return Promise.reject(new ConnectionClosedError('The client no longer waits for this answer', false));
}

/** Characters of ids that are worth to stand in each event's id. */
const longestIds = 100;

function idsInKey(ids: readonly JsonRpcId[]): string {
  const text = JSON.stringify(ids);
  return text.length > longestIds ? '' : `_${Buffer.from(text).toString('hex')}`;
}
