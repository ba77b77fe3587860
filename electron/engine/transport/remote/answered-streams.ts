import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { Exchange, Exchanges } from './exchanges.ts';

interface Answered {
  /** Requests that were under way when this one was answered: their answers may come here by mistake. */
  readonly others: readonly Exchange[];
  /** Higher than that of all streams that were last heard on before. */
  readonly turn: number;
  /** Undefined while the stream is kept for good. */
  readonly timer: Disposable | undefined;
}

/**
 * Streams of requests, which many servers leave open behind the answer: each is let go after a while of silence. Where the
 * server has no stream of its own to say anything on, the last one heard on stays, and an older one until a later one has
 * lasted through such a while: most of those end by themselves before.
 */
export class AnsweredStreams {
  readonly #clock: Clock;
  readonly #exchanges: Exchanges;
  readonly #isOnlyWay: () => boolean;
  /** Undefined for one that waits for its answer. */
  readonly #open = new Map<Exchange, Answered | undefined>();
  #lastTurn = 0;

  constructor(clock: Clock, exchanges: Exchanges, isOnlyWay: () => boolean) {
    this.#clock = clock;
    this.#exchanges = exchanges;
    this.#isOnlyWay = isOnlyWay;
  }

  begin(exchange: Exchange): void {
    this.#open.set(exchange, undefined);
    this.heard(exchange);
  }

  /** Something has come on this stream, or the answer elsewhere. */
  heard(exchange: Exchange): void {
    if (!exchange.answered || !this.#open.has(exchange)) return;
    const known = this.#open.get(exchange);
    known?.timer?.dispose();
    this.#lastTurn += 1;
    this.#wait(exchange, known?.others ?? this.#exchanges.underway(), this.#lastTurn);
  }

  over(exchange: Exchange): void {
    this.#open.get(exchange)?.timer?.dispose();
    this.#open.delete(exchange);
  }

  close(): void {
    for (const exchange of [...this.#open.keys()]) this.#cut(exchange);
  }

  #wait(exchange: Exchange, others: readonly Exchange[], turn: number): void {
    const timer = this.#clock.after(silence, () => this.#fallSilent(exchange, others, turn));
    this.#open.set(exchange, { others, turn, timer });
  }

  #fallSilent(exchange: Exchange, others: readonly Exchange[], turn: number): void {
    if (others.some((other) => this.#exchanges.isUnderway(other))) this.#wait(exchange, others, turn);
    else if (this.#isOnlyWay()) this.#keep(exchange, others, turn);
    else this.#cut(exchange);
  }

  /** Lets go all kept ones but that with the highest turn. */
  #keep(exchange: Exchange, others: readonly Exchange[], turn: number): void {
    const [kept] = [...this.#open].find(([, answered]) => isKept(answered)) ?? [];
    const isLater = kept === undefined || turn > (this.#open.get(kept)?.turn ?? 0);
    if (isLater) this.#open.set(exchange, { others, turn, timer: undefined });
    const older = isLater ? kept : exchange;
    if (older !== undefined) this.#cut(older);
  }

  #cut(exchange: Exchange): void {
    this.over(exchange);
    exchange.controller.abort();
  }
}

function isKept(answered: Answered | undefined): boolean {
  return answered !== undefined && answered.timer === undefined;
}

/** Milliseconds after the last message. */
const silence = 5000;
