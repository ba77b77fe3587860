import { type Clock, delay } from '../base/clock.ts';
import type { Connection, ServerRequest } from '../supervise/contract.ts';
import { ignore } from './ledgers.ts';

interface Arrival {
  /** The server's last request for roots, kept beyond its response. */
  roots: Promise<unknown> | undefined;
  readonly settled: Promise<void>;
}

/**
 * Servers whose handshake has just completed. Many ask for roots at once and are of little use before they
 * have them. A directly connected client answers long before it calls anything; here the call may be what
 * starts the server, and must not overtake that response.
 */
export class Arrivals {
  readonly #clock: Clock;
  /** By server or instance id, while calls wait for it. */
  readonly #arriving = new Map<string, Arrival>();
  /** Unanswered requests for roots, by server or instance id. */
  readonly #open = new Map<string, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a server's request for roots. Returns the same promise. */
  asked(id: string, { message }: ServerRequest, answer: Promise<unknown>): Promise<unknown> {
    if (message.method !== 'roots/list') return answer;
    const answered = answer.then(ignore, ignore).finally(() => {
      if (this.#open.get(id) === answered) this.#open.delete(id);
    });
    this.#open.set(id, answered);
    const arrival = this.#arriving.get(id);
    if (arrival !== undefined) arrival.roots = answered;
    return answer;
  }

  /** Resolves when the server has processed the handshake and has its roots, or after a timeout. */
  settled(id: string, connection: Connection): Promise<void> {
    const known = this.#arriving.get(id);
    if (known !== undefined) return known.settled;
    const settled = this.#settle(id, connection).finally(() => this.#arriving.delete(id));
    this.#arriving.set(id, { roots: this.#open.get(id), settled });
    return settled;
  }

  async #settle(id: string, connection: Connection): Promise<void> {
    // Requests that the server sends right after the handshake arrive before the response to this ping.
    const answers = await this.#within(noteMs, connection.request('ping').result);
    const roots = this.#arriving.get(id)?.roots;
    if (roots === undefined) return;
    await this.#within(answerMs, roots);
    // On a busy machine the server reads the roots only when it gets to this ping.
    if (answers) await this.#within(noteMs, connection.request('ping').result);
    await delay(this.#clock, digestMs);
  }

  /** Returns whether the outcome settled within this time. */
  async #within(milliseconds: number, outcome: Promise<unknown>): Promise<boolean> {
    const over = new AbortController();
    const [inTime, late] = [outcome.then(yes, yes), delay(this.#clock, milliseconds, over.signal).then(no)];
    const isSettled = await Promise.race([inTime, late]);
    over.abort();
    return isSettled;
  }
}

const yes = () => true;
const no = () => false;

/** Timeouts in milliseconds. */
const noteMs = 1_000;
const answerMs = 2_000;
/** Gives the server time to look at its folders. */
const digestMs = 100;
