import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { ConnectionClosedError, type JsonRpcId } from '../../jsonrpc/message.ts';
import { batchLine } from '../stdio/batches.ts';
import type { SessionEventStore } from './event-store.ts';
import { refuse } from './http-refusal.ts';
import { type AcceptedForms, headerOf, sessionNotFound, supportsPriming } from './http-server-rules.ts';
import { EventStream, type UnreadResponses } from './http-server-stream.ts';

/** A POST that expects an answer. */
export interface ExchangeRequest {
  /** Number of the POST, unique within the session. */
  readonly number: number;
  readonly headers: IncomingHttpHeaders;
  readonly accepted: AcceptedForms;
  readonly response: ServerResponse;
  /** Ids of its requests; not empty. */
  readonly ids: readonly JsonRpcId[];
  readonly isBatch: boolean;
  /** Tick at which it arrived. */
  readonly tick: number;
}

/** Shared by the exchanges of one session. */
export interface ExchangeSession {
  readonly sessionId: string;
  readonly store: SessionEventStore;
  readonly unread: UnreadResponses;
  /** Writes the head of an event stream. */
  readonly beginEvents: (response: ServerResponse) => void;
}

/**
 * One POST with requests, until all of them are answered. The answer is plain JSON if it comes soon and
 * nothing else is sent first; otherwise it is the last event of a stream.
 */
export class HttpExchange {
  readonly #request: ExchangeRequest;
  readonly #session: ExchangeSession;
  #stream: EventStream | undefined;
  #key: string | undefined;
  #phase: 'silent' | 'stream' | 'over' = 'silent';
  #unanswered: number;
  /** Answers of a batch that wait for the others. */
  #batchAnswers: Buffer[] | undefined;

  constructor(request: ExchangeRequest, session: ExchangeSession) {
    this.#request = request;
    this.#session = session;
    this.#unanswered = request.ids.length;
    if (!request.accepted.json) this.open();
  }

  /**
   * Key of the stream within the session. It encodes the request ids, so that a transport created after a
   * restart knows them too.
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

  /** Returns true if messages other than the answer can be sent to this client. */
  get takesEvents(): boolean {
    return this.#request.accepted.events && this.#phase !== 'over';
  }

  /** Starts the stream if possible, so that the client does not wait in silence. */
  open(): void {
    const { accepted, headers, response } = this.#request;
    if (this.#phase !== 'silent' || !accepted.events || response.closed) return;
    this.#phase = 'stream';
    this.#session.beginEvents(response);
    this.stream.attach(response);
    if (supportsPriming(headers)) this.stream.prime();
    for (const line of this.#batchAnswers ?? []) this.stream.write(line);
  }

  send(message: Buffer): Promise<void> {
    this.open();
    return this.#phase === 'stream' ? this.stream.write(message) : clientGone();
  }

  /** `idText` returns the id of the request as JSON. */
  answer(message: Buffer, idText: () => string): Promise<void> {
    this.#unanswered -= 1;
    const isLast = this.#unanswered === 0;
    if (this.#phase === 'stream') {
      const sent = this.stream.write(message, idText());
      if (isLast) this.end();
      return sent;
    }
    if (!this.#request.isBatch) return this.#answerAsJson(message);
    this.#batchAnswers ??= [];
    this.#batchAnswers.push(message);
    return isLast ? this.#answerAsJson(batchLine(this.#batchAnswers)) : Promise.resolve();
  }

  /** Ends the response; the client cannot resume it. */
  end(): void {
    if (this.#phase === 'silent')
      refuse(this.#request.response, sessionNotFound, JSON.stringify(this.#request.ids[0]));
    this.#phase = 'over';
    this.#stream?.end();
  }

  /**
   * Handles a cancellation; the client may or may not keep listening. Cancelling the last request ends the
   * exchange, because a stream left open would last as long as the session.
   */
  cancel(): void {
    this.#unanswered -= 1;
    if (this.#unanswered > 0 || this.#phase === 'over') return;
    if (this.#phase === 'stream') this.end();
    else if (this.#batchAnswers !== undefined)
      this.#answerAsJson(batchLine(this.#batchAnswers)).catch(ignore);
    else this.#endEmpty();
  }

  /** Ends the response without a priming event: there is nothing to resume. */
  #endEmpty(): void {
    this.#phase = 'over';
    this.#session.beginEvents(this.#request.response);
    this.#request.response.end();
  }

  #answerAsJson(body: Buffer): Promise<void> {
    const { response, headers } = this.#request;
    this.#phase = 'over';
    if (response.closed) return clientGone();
    const sentHeaders = { 'content-type': 'application/json', 'content-length': body.length };
    const { sessionId } = this.#session;
    // Only an `initialize` request carries no session id.
    const isNew = headerOf(headers, 'mcp-session-id') !== sessionId;
    response.writeHead(200, isNew ? { ...sentHeaders, 'mcp-session-id': sessionId } : sentHeaders);
    response.end(body);
    return this.#session.unread.whenFlushed(response);
  }
}

const ignore = () => {};

/** The client has disconnected and no longer wants the answer. */
function clientGone(): Promise<never> {
  return Promise.reject(new ConnectionClosedError('The client no longer waits for this answer', false));
}

/** Longest list of ids, in characters, that is repeated in each event id. */
const maxIdsLength = 100;

function idsInKey(ids: readonly JsonRpcId[]): string {
  const text = JSON.stringify(ids);
  return text.length > maxIdsLength ? '' : `_${Buffer.from(text).toString('hex')}`;
}
