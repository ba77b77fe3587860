import type { ServerResponse } from 'node:http';
import { ConnectionClosedError, type JsonRpcId } from '../rpc/message.ts';
import { SENT } from '../rpc/transport.ts';
import type { SessionEventStore } from './event-store.ts';
import { refuse } from './http-refusal.ts';
import { type AcceptedForms, sessionOver } from './http-server-rules.ts';
import { EventStream, left } from './http-server-stream.ts';

export interface ExchangeOptions {
  readonly key: string;
  readonly response: ServerResponse;
  /** Of the requests in the POST; not empty. */
  readonly ids: readonly JsonRpcId[];
  readonly isBatch: boolean;
  readonly accepted: AcceptedForms;
  readonly store: SessionEventStore;
  /** Goes with the answer as JSON. */
  readonly headers: Readonly<Record<string, string>>;
  /** Writes the head of an event stream. */
  readonly begin: (response: ServerResponse) => void;
  readonly isPrimed: boolean;
  /** When it came. */
  readonly tick: number;
}

/**
 * One POST with requests, until all of them are answered. The answer is plain JSON if it is the first thing to be said
 * and comes soon; else it is the last event of a stream.
 */
export class HttpExchange {
  readonly tick: number;
  readonly #options: ExchangeOptions;
  readonly #stream: EventStream;
  #phase: 'silent' | 'stream' | 'over' = 'silent';
  #unanswered: number;
  /** Answers of a batch that wait for the others. */
  readonly #held: Buffer[] = [];

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.tick = options.tick;
    this.#stream = new EventStream(options.key, options.store);
    this.#unanswered = options.ids.length;
    if (!options.accepted.json) this.open();
  }

  get stream(): EventStream {
    return this.#stream;
  }

  get isOver(): boolean {
    return this.#phase === 'over';
  }

  /** Whether something else than the answer can be said to this client. */
  get takesEvents(): boolean {
    return this.#options.accepted.events && this.#phase !== 'over';
  }

  /** Begins the stream, if it can be and has not begun: a client should not hear nothing for long. */
  open(): void {
    const { accepted, begin, isPrimed, response } = this.#options;
    if (this.#phase !== 'silent' || !accepted.events || response.closed) return;
    this.#phase = 'stream';
    begin(response);
    this.#stream.attach(response);
    if (isPrimed) this.#stream.prime();
  }

  tell(message: Buffer): Promise<void> {
    this.open();
    return this.#phase === 'stream' ? this.#stream.write(message) : gone();
  }

  /** `idText` gives the id of the request as JSON. */
  answer(message: Buffer, idText: () => string): Promise<void> {
    this.#unanswered -= 1;
    const isLast = this.#unanswered === 0;
    if (this.#phase === 'stream') {
      const sent = this.#stream.write(message, idText());
      if (isLast) this.end();
      return sent;
    }
    this.#held.push(message);
    return isLast ? this.#answerAsJson() : SENT;
  }

  /** Ends what the client is still given; it can take up nothing of it again. */
  end(): void {
    if (this.#phase === 'silent') refuse(this.#options.response, sessionOver, this.#options.ids[0]);
    this.#phase = 'over';
    this.#stream.end();
  }

  /** The client has said that it no longer wants the answer, and may or may not go on listening. */
  cancel(): void {
    if (this.#phase !== 'silent') return;
    this.#phase = 'over';
    // Not primed: there is nothing to come back for.
    this.#options.begin(this.#options.response);
    this.#options.response.end();
  }

  #answerAsJson(): Promise<void> {
    const { response, headers, isBatch } = this.#options;
    this.#phase = 'over';
    if (response.closed) return gone();
    const [first] = this.#held;
    const body = isBatch || first === undefined ? listOf(this.#held) : first;
    response.writeHead(200, {
      ...headers,
      'content-type': 'application/json',
      'content-length': body.length,
    });
    response.end(body);
    return left(response);
  }
}

function listOf(messages: readonly Buffer[]): Buffer {
  return Buffer.from(`[${messages.map((message) => message.toString('utf8')).join(',')}]`);
}

function gone(): Promise<never> {
  return Promise.reject(new ConnectionClosedError('The client no longer waits for this answer', false));
}
