import { cancelled, queueFull } from '../error-map.ts';

/** Maximum number of waiting calls per server and per session. */
export interface QueueLimits {
  readonly maxPerServer: number;
  readonly maxPerSession: number;
}

const defaultLimits: QueueLimits = { maxPerServer: 1_024, maxPerSession: 256 };

/** A call that may have to wait; `signal` aborts when its client no longer does. */
export interface QueueingCall {
  readonly sessionId: string;
  readonly signal: AbortSignal;
}

interface QueuedCall {
  readonly sessionId: string;
  start(): void;
}

/**
 * Queues for servers with a concurrency limit. Sessions take turns, however many calls each of them has
 * waiting. Servers without a limit are never looked up.
 */
export class Slots {
  readonly #limits: QueueLimits;
  readonly #servers = new Map<string, ServerSlots>();

  constructor(limits: QueueLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Returns the slots of a server, with its current limit. */
  forServer(serverKey: string, limit: number): ServerSlots {
    const known = this.#servers.get(serverKey);
    if (known !== undefined) return known.withLimit(limit);
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
  readonly #queues = new Map<string, QueuedCall[]>();
  #limit: number;
  #busy = 0;
  #waiting = 0;

  constructor(serverKey: string, limit: number, limits: QueueLimits, onIdle: () => void) {
    this.#serverKey = serverKey;
    this.#limit = limit;
    this.#limits = limits;
    this.#onIdle = onIdle;
  }

  withLimit(limit: number): this {
    this.#limit = limit;
    return this;
  }

  /** Takes a slot, which {@link leave} returns; undefined if one was free at once. */
  enter(call: QueueingCall): Promise<void> | undefined {
    if (this.#busy < this.#limit && this.#waiting === 0) {
      this.#busy += 1;
      return undefined;
    }
    const queue = this.#queues.get(call.sessionId) ?? [];
    if (this.#waiting >= this.#limits.maxPerServer || queue.length >= this.#limits.maxPerSession) {
      throw queueFull(this.#serverKey, this.#waiting);
    }
    return this.#wait(call, queue);
  }

  leave(): void {
    this.#busy -= 1;
    while (this.#busy < this.#limit) {
      const next = this.#next();
      if (next === undefined) break;
      this.#busy += 1;
      next.start();
    }
    if (this.#busy === 0) this.#onIdle();
  }

  #wait({ sessionId, signal }: QueueingCall, queue: QueuedCall[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#remove(waiting);
        reject(cancelled());
      };
      const begin = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const waiting: QueuedCall = { sessionId, start: begin };
      signal.addEventListener('abort', onAbort, { once: true });
      queue.push(waiting);
      this.#queues.set(sessionId, queue);
      this.#waiting += 1;
    });
  }

  /** Takes the next waiting call and moves its session to the end of the line. */
  #next(): QueuedCall | undefined {
    const [first] = this.#queues;
    if (first === undefined) return undefined;
    const [sessionId, queue] = first;
    const next = queue.shift();
    this.#waiting -= 1;
    this.#queues.delete(sessionId);
    if (queue.length > 0) this.#queues.set(sessionId, queue);
    return next;
  }

  #remove(waiting: QueuedCall): void {
    const queue = this.#queues.get(waiting.sessionId);
    const index = queue?.indexOf(waiting) ?? -1;
    if (queue === undefined || index === -1) return;
    queue.splice(index, 1);
    this.#waiting -= 1;
    if (queue.length === 0) this.#queues.delete(waiting.sessionId);
  }
}
