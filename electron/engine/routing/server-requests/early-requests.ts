import { type Clock, delay } from '../../base/clock.ts';
import type { Connection, ServerRequest } from '../../servers/contract.ts';
import { ignore } from './contract.ts';

interface SettlingServer {
  /** The server's last request for roots, kept beyond its response. */
  roots: Promise<unknown> | undefined;
  readonly settled: Promise<void>;
}

/**
 * Servers whose handshake has just completed. Many ask for roots at once and are of little use before they
 * have them. A directly connected client answers long before it calls anything; here the call may be what
 * starts the server, and must not overtake that response.
 */
export class EarlyRequests {
  readonly #clock: Clock;
  /** By server or instance id, while calls wait for it. */
  readonly #settling = new Map<string, SettlingServer>();
  /** Unanswered requests for roots, by server or instance id. */
  readonly #pendingRoots = new Map<string, Promise<unknown>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records a server's request for roots. Returns the same promise. */
  onRequest(id: string, { message }: ServerRequest, answer: Promise<unknown>): Promise<unknown> {
    if (message.method !== 'roots/list') return answer;
    const answered = answer.then(ignore, ignore).finally(() => {
      if (this.#pendingRoots.get(id) === answered) this.#pendingRoots.delete(id);
    });
    this.#pendingRoots.set(id, answered);
    const settlingServer = this.#settling.get(id);
    if (settlingServer !== undefined) settlingServer.roots = answered;
    return answer;
  }

  /** Resolves when the server has processed the handshake and has its roots, or after a timeout. */
  whenSettled(id: string, connection: Connection): Promise<void> {
    const known = this.#settling.get(id);
    if (known !== undefined) return known.settled;
    const whenSettled = this.#settle(id, connection).finally(() => this.#settling.delete(id));
    this.#settling.set(id, { roots: this.#pendingRoots.get(id), settled: whenSettled });
    return whenSettled;
  }

  async #settle(id: string, connection: Connection): Promise<void> {
    // Requests that the server sends right after the handshake arrive before the response to this ping.
    const answersPings = await this.#settlesWithin(pingTimeoutMs, connection.request('ping').result);
    const roots = this.#settling.get(id)?.roots;
    if (roots === undefined) return;
    await this.#settlesWithin(rootsTimeoutMs, roots);
    // On a busy machine the server reads the roots only when it gets to this ping, and is as slow with its folders.
    const askedAt = this.#clock.uptime();
    if (answersPings) await this.#settlesWithin(pingTimeoutMs, connection.request('ping').result);
    const pings = pingsForFolders * (this.#clock.uptime() - askedAt);
    await delay(this.#clock, Math.min(Math.max(pings, minSettleDelayMs), maxSettleDelayMs));
  }

  /** Returns whether the outcome settled within this time. */
  async #settlesWithin(milliseconds: number, outcome: Promise<unknown>): Promise<boolean> {
    const over = new AbortController();
    const [inTime, late] = [outcome.then(yes, yes), delay(this.#clock, milliseconds, over.signal).then(no)];
    const isSettled = await Promise.race([inTime, late]);
    over.abort();
    return isSettled;
  }
}

const yes = () => true;
const no = () => false;

/** Timeouts in milliseconds, for a server on a busy machine. */
const pingTimeoutMs = 3_000;
const rootsTimeoutMs = 5_000;
/** Gives the server time to look at its folders: as long as this many pings take. */
const pingsForFolders = 5;
const minSettleDelayMs = 100;
const maxSettleDelayMs = 1_000;
