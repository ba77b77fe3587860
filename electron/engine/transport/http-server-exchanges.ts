import type { IncomingHttpHeaders } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import { type ExchangeOptions, HttpExchange } from './http-server-exchange.ts';
import { understandsPriming } from './http-server-rules.ts';

/** The part of an exchange that is known from its request. */
export type Expectation = Pick<ExchangeOptions, 'response' | 'accepted' | 'isBatch' | 'ids'> & {
  readonly headers: IncomingHttpHeaders;
};

/** What the exchanges of a session have in common. */
export type ExchangeSurroundings = Pick<ExchangeOptions, 'store' | 'begin'> & {
  readonly sessionId: string;
  readonly clock: Clock;
};

/** The POSTs of one session that wait for answers, by the ids of their requests. */
export class HttpExchanges {
  readonly #surroundings: ExchangeSurroundings;
  readonly #byId = new Map<JsonRpcId, HttpExchange>();
  #count = 0;
  #ticks = 0;
  #timer: Disposable | undefined;

  constructor(surroundings: ExchangeSurroundings) {
    this.#surroundings = surroundings;
  }

  of(id: JsonRpcId): HttpExchange | undefined {
    return this.#byId.get(id);
  }

  ofStream(key: string): HttpExchange | undefined {
    return [...this.#byId.values()].find(({ stream }) => stream.key === key);
  }

  /** Notes who is to be answered on this response. */
  add({ headers, ...options }: Expectation): void {
    const { sessionId, clock, ...shared } = this.#surroundings;
    this.#count += 1;
    const exchange = new HttpExchange({
      ...options,
      ...shared,
      key: String(this.#count),
      // Only the answer to `initialize` has no session named in its request.
      headers: headers['mcp-session-id'] === sessionId ? none : { 'mcp-session-id': sessionId },
      isPrimed: understandsPriming(headers),
      tick: this.#ticks,
    });
    for (const id of options.ids) this.#byId.set(id, exchange);
    this.#timer ??= clock.after(TICK_MS, this.#tick);
  }

  /** The exchange of a request that is being answered, whose id is free from now on. */
  take(id: JsonRpcId): HttpExchange | undefined {
    const exchange = this.#byId.get(id);
    this.#byId.delete(id);
    return exchange;
  }

  end(): void {
    this.#timer?.dispose();
    for (const exchange of this.#byId.values()) exchange.end();
    this.#byId.clear();
  }

  /** One timer for all: what was there at the last tick has waited long enough to become a stream. */
  readonly #tick = (): void => {
    for (const exchange of this.#byId.values()) if (exchange.tick < this.#ticks) exchange.open();
    this.#ticks += 1;
    this.#timer = this.#byId.size === 0 ? undefined : this.#surroundings.clock.after(TICK_MS, this.#tick);
  };
}

const none = {};
/** Milliseconds. */
const TICK_MS = 125;
