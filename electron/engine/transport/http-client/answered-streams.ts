import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import { TransientMap } from '../../base/transient-map.ts';
import type { Exchange, Exchanges } from './exchanges.ts';

interface AnsweredStream {
  /**
   * Requests that were in flight when this one was answered: their answers may arrive on this stream by
   * mistake.
   */
  readonly others: readonly Exchange[];
  /** Higher than the turn of every stream that was active before. */
  readonly turn: number;
  /** Undefined while the stream is kept open indefinitely. */
  readonly timer: Disposable | undefined;
}

/**
 * Manages streams that servers leave open after the answer to a request. Each is closed after a period of
 * silence. If the server has no session stream to send anything else on, the most recently active one stays
 * open, and an older one until a newer one has lasted through such a period, because most of them end by
 * themselves before.
 */
export class AnsweredStreams {
  readonly #clock: Clock;
  readonly #exchanges: Exchanges;
  readonly #isOnlyChannel: () => boolean;
  /** Undefined for a stream that still waits for its answer. */
  readonly #open = new TransientMap<Exchange, AnsweredStream | undefined>();
  #lastTurn = 0;

  constructor(clock: Clock, exchanges: Exchanges, isOnlyWay: () => boolean) {
    this.#clock = clock;
    this.#exchanges = exchanges;
    this.#isOnlyChannel = isOnlyWay;
  }

  begin(exchange: Exchange): void {
    this.#open.set(exchange, undefined);
    this.active(exchange);
  }

  /** Records a message on this stream, or the answer on another one. */
  active(exchange: Exchange): void {
    if (!exchange.answered || !this.#open.has(exchange)) return;
    const known = this.#open.get(exchange);
    known?.timer?.dispose();
    this.#lastTurn += 1;
    this.#wait(exchange, known?.others ?? this.#exchanges.inFlight(), this.#lastTurn);
  }

  ended(exchange: Exchange): void {
    this.#open.get(exchange)?.timer?.dispose();
    this.#open.delete(exchange);
  }

  close(): void {
    for (const exchange of this.#open.keys()) this.#abort(exchange);
  }

  #wait(exchange: Exchange, others: readonly Exchange[], turn: number): void {
    const timer = this.#clock.after(idleTimeoutMs, () => this.#onIdle(exchange, others, turn));
    this.#open.set(exchange, { others, turn, timer });
  }

  #onIdle(exchange: Exchange, others: readonly Exchange[], turn: number): void {
    if (others.some((other) => this.#exchanges.isInFlight(other))) this.#wait(exchange, others, turn);
    else if (this.#isOnlyChannel()) this.#keep(exchange, others, turn);
    else this.#abort(exchange);
  }

  /** Keeps only the idle stream with the highest turn, and closes the others. */
  #keep(exchange: Exchange, others: readonly Exchange[], turn: number): void {
    const kept = this.#open.keys().find((each) => isKeptOpen(this.#open.get(each)));
    const isLater = kept === undefined || turn > (this.#open.get(kept)?.turn ?? 0);
    if (isLater) this.#open.set(exchange, { others, turn, timer: undefined });
    const older = isLater ? kept : exchange;
    if (older !== undefined) this.#abort(older);
  }

  #abort(exchange: Exchange): void {
    this.ended(exchange);
    exchange.controller.abort();
  }
}

function isKeptOpen(answered: AnsweredStream | undefined): boolean {
  return answered !== undefined && answered.timer === undefined;
}

/** In milliseconds, after the last message. */
const idleTimeoutMs = 5000;
