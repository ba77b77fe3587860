import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { Exchange, Exchanges } from './exchanges.ts';

interface Answered {
  /** Requests that were under way when this one was answered: their answers may come here by mistake. */
  readonly others: readonly Exchange[];
  /** Undefined while the stream is kept for good. */
  timer: Disposable | undefined;
}

/**
 * Streams of requests, which many servers leave open behind the answer: each is let go after a while of silence. The newest
 * stays where the server has no stream of its own to say anything on.
 */
export class AnsweredStreams {
  readonly #clock: Clock;
  readonly #exchanges: Exchanges;
  readonly #isOnlyWay: () => boolean;
  /** Undefined for one that waits for its answer. */
  readonly #open = new Map<Exchange, Answered | undefined>();
  #newest: Exchange | undefined;

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
    this.#wait(exchange, known?.others ?? this.#exchanges.underway());
    if (known !== undefined) return;
    const before = this.#newest;
    this.#newest = exchange;
    const kept = before && this.#open.get(before);
    if (before !== undefined && kept !== undefined && kept.timer === undefined)
      this.#wait(before, kept.others);
  }

  over(exchange: Exchange): void {
    this.#open.get(exchange)?.timer?.dispose();
    this.#open.delete(exchange);
    if (this.#newest === exchange) this.#newest = undefined;
  }

  close(): void {
    for (const [exchange, answered] of this.#open) {
      answered?.timer?.dispose();
      exchange.controller.abort();
    }
    this.#open.clear();
  }

  #wait(exchange: Exchange, others: readonly Exchange[]): void {
    const timer = this.#clock.after(silence, () => this.#letGo(exchange, others));
    this.#open.set(exchange, { others, timer });
  }

  #letGo(exchange: Exchange, others: readonly Exchange[]): void {
    if (others.some((other) => this.#exchanges.isUnderway(other))) this.#wait(exchange, others);
    else if (exchange === this.#newest && this.#isOnlyWay())
      this.#open.set(exchange, { others, timer: undefined });
    else exchange.controller.abort();
  }
}

/** Milliseconds after the last message. */
const silence = 5000;
