import type { CallSignal } from '../contract.ts';
import { cancelled, queueFull } from '../error-map.ts';

/** Maximum number of waiting calls per server and per session. */
export interface QueueLimits {
  readonly server: number;
  readonly session: number;
}

const usualLimits: QueueLimits = { server: 1_024, session: 256 };

interface Waiting {
  readonly sessionId: string;
  begin(): void;
}

/**
 * Queues for servers with a concurrency limit. Sessions take turns, however many calls each of them has
 * waiting. Servers without a limit are never looked up.
 */
export class Slots {
  readonly #limits: QueueLimits;
  readonly #servers = new Map<string, ServerSlots>();

  constructor(limits: QueueLimits = usualLimits) {
    this.#limits = limits;
  }

  /** Returns the slots of a server, with its current limit. */
  of(serverKey: string, limit: number): ServerSlots {
    const known = this.#servers.get(serverKey);
    if (known !== undefined) return known.limitedTo(limit);
    const slots = new ServerSlots(serverKey, limit, this.#limits, () => this.#servers.delete(serverKey));
    this.#servers.set(serverKey, slots);
    return slots;
  }
}

export class ServerSlots {
  readonly #serverKey: string;
  readonly #limits: QueueLimits;
  readonly #onIdle: () => void;
  /** By session; the next session comes first. */
  readonly #queues = new Map<string, Waiting[]>();
  #limit: number;
  #busy = 0;
  #waiting = 0;

  constructor(serverKey: string, limit: number, limits: QueueLimits, onIdle: () => void) {
    this.#serverKey = serverKey;
    this.#limit = limit;
    this.#limits = limits;
    this.#onIdle = onIdle;
  }

  limitedTo(limit: number): this {
    this.#limit = limit;
    return this;
  }

  /** Takes a slot, which {@link leave} returns; undefined if one was free at once. */
  enter(sessionId: string, signal: CallSignal): Promise<void> | undefined {
    if (this.#busy < this.#limit && this.#waiting === 0) {
      this.#busy += 1;
      return undefined;
    }
    const queue = this.#queues.get(sessionId) ?? [];
    if (this.#waiting >= this.#limits.server || queue.length >= this.#limits.session) {
      throw queueFull(this.#serverKey, this.#waiting);
    }
    return this.#wait(sessionId, queue, signal);
  }

  leave(): void {
    this.#busy -= 1;
    while (this.#busy < this.#limit) {
      const next = this.#next();
      if (next === undefined) break;
      this.#busy += 1;
      next.begin();
    }
    if (this.#busy === 0) this.#onIdle();
  }

  #wait(sessionId: string, queue: Waiting[], signal: CallSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#remove(waiting);
        reject(cancelled());
      };
      const begin = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const waiting: Waiting = { sessionId, begin };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(waiting);
      this.#queues.set(sessionId, queue);
      this.#waiting += 1;
    });
  }

  /** Takes the next waiting call and moves its session to the end of the line. */
  #next(): Waiting | undefined {
    const [first] = this.#queues;
    if (first === undefined) return undefined;
    const [sessionId, queue] = first;
    const next = queue.shift();
    this.#waiting -= 1;
    this.#queues.delete(sessionId);
    if (queue.length > 0) this.#queues.set(sessionId, queue);
    return next;
  }

  #remove(waiting: Waiting): void {
    const queue = this.#queues.get(waiting.sessionId);
    const place = queue?.indexOf(waiting) ?? -1;
    if (queue === undefined || place === -1) return;
    queue.splice(place, 1);
    this.#waiting -= 1;
    if (queue.length === 0) this.#queues.delete(waiting.sessionId);
  }
}
