import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { TransientMap } from '../../base/transient-map.ts';
import type { JsonRpcId } from '../../jsonrpc/message.ts';
import { isId } from '../../jsonrpc/message-kind.ts';
import { type ExchangeRequest, type ExchangeSession, HttpExchange } from './http-server-exchange.ts';

/** Data of an exchange that comes from its request. */
export type NewExchange = Omit<ExchangeRequest, 'number' | 'tick'>;

/** The POSTs of one session that wait for answers, by the ids of their requests. */
export class HttpExchanges {
  readonly #session: ExchangeSession;
  readonly #clock: Clock;
  readonly #byId = new TransientMap<JsonRpcId, HttpExchange>();
  readonly #first: number;
  #count: number;
  #ticks = 0;
  #timer: Disposable | undefined;

  /** `first` must be greater than the number of any exchange of an earlier transport. */
  constructor(session: ExchangeSession, clock: Clock, first = 0) {
    this.#session = session;
    this.#clock = clock;
    this.#first = first;
    this.#count = first;
  }

  of(id: JsonRpcId): HttpExchange | undefined {
    return this.#byId.get(id);
  }

  ofStream(key: string): HttpExchange | undefined {
    return this.#byId.values().find((exchange) => exchange.key === key);
  }

  /**
   * Returns the requests that a stream of an earlier transport was to answer; undefined for any other stream.
   */
  idsBefore(key: string): readonly JsonRpcId[] | undefined {
    const [, number, ids] = /^(\d{1,15})_([0-9a-f]+)$/.exec(key) ?? [];
    if (ids === undefined || Number(number) > this.#first) return undefined;
    return readIds(ids);
  }

  /** Registers the requests to be answered on this response. */
  add({ headers, accepted, response, ids, isBatch }: NewExchange): void {
    const tick = this.#ticks;
    const number = ++this.#count;
    const exchange = new HttpExchange(
      { number, headers, accepted, response, ids, isBatch, tick },
      this.#session,
    );
    for (const id of ids) this.#byId.set(id, exchange);
    this.#timer ??= this.#clock.after(TICK_MS, this.#tick);
  }

  /** Returns the exchange of a request that is being answered, and frees its id. */
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

  /**
   * One timer serves all exchanges: those that existed at the last tick have waited long enough to become a
   * stream.
   */
  readonly #tick = (): void => {
    for (const exchange of this.#byId.values()) if (exchange.tick < this.#ticks) exchange.open();
    this.#ticks += 1;
    this.#timer = this.#byId.size === 0 ? undefined : this.#clock.after(TICK_MS, this.#tick);
  };
}

/** In milliseconds. */
const TICK_MS = 125;

function readIds(hex: string): readonly JsonRpcId[] | undefined {
  try {
    const ids: unknown = JSON.parse(Buffer.from(hex, 'hex').toString('utf8'));
    return Array.isArray(ids) && ids.every(isId) ? ids : undefined;
  } catch {
    return undefined;
  }
}
