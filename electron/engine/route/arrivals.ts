import { type Clock, delay } from '../base/clock.ts';
import type { Connection, ServerRequest } from '../supervise/contract.ts';
import { ignore } from './ledgers.ts';

interface Arrival {
  /** What it asked last for roots, until that is answered and longer. */
  roots: Promise<unknown> | undefined;
  readonly settled: Promise<void>;
}

/**
 * Servers that have just been introduced to their client. Many ask it for its roots at once and are of little use before
 * they know them. Who is directly connected has answered long before it calls anything; here a call may be what
 * starts the server, and must not overtake that answer.
 */
export class Arrivals {
  readonly #clock: Clock;
  /** By server or instance, while calls wait for it. */
  readonly #arriving = new Map<string, Arrival>();
  /** Questions for roots that are not answered yet. */
  readonly #open = new Map<string, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A server asks its client something; the same promise. */
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

  /** Resolves when the server has taken note of its client and has been answered, or after a while. */
  settled(id: string, connection: Connection): Promise<void> {
    const known = this.#arriving.get(id);
    if (known !== undefined) return known.settled;
    const settled = this.#settle(id, connection).finally(() => this.#arriving.delete(id));
    this.#arriving.set(id, { roots: this.#open.get(id), settled });
    return settled;
  }

  async #settle(id: string, connection: Connection): Promise<void> {
    // What it asks as soon as it is greeted comes before the answer to this.
    const answers = await this.#within(noteMs, connection.request('ping').result);
    const roots = this.#arriving.get(id)?.roots;
    if (roots === undefined) return;
    await this.#within(answerMs, roots);
    // On a busy machine it reads that answer only when it gets to this.
    if (answers) await this.#within(noteMs, connection.request('ping').result);
    await delay(this.#clock, digestMs);
  }

  /** Whether it was settled in time. */
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

/** Milliseconds. */
const noteMs = 1_000;
const answerMs = 2_000;
/** Looking at folders takes servers a moment. */
const digestMs = 100;
