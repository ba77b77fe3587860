import { lineOf } from '../rpc/object-message.ts';

/** One event of a stream, under the id a client comes back with. */
export interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  /** As JSON; absent for an event that says nothing. */
  readonly message?: Buffer;
  readonly isAnswer: boolean;
}

/** What a client that comes back to a broken stream has missed. */
export interface Resumption {
  readonly stream: string;
  readonly missed: readonly StoredEvent[];
}

export interface EventStoreLimits {
  readonly events: number;
  /** Over all messages kept. */
  readonly bytes: number;
}

/**
 * The last events of one session's streams. What is oldest goes first, so that a stream whose beginning is still known
 * is known whole; an id that has gone is refused, and its client knows where it is. An answer that is too long to be
 * kept is kept as an error that says so.
 */
export class SessionEventStore {
  readonly #limits: EventStoreLimits;
  readonly #events = new Map<string, StoredEvent>();
  #bytes = 0;
  #last = 0;

  constructor(limits: EventStoreLimits = { events: 128, bytes: 1024 * 1024 }) {
    this.#limits = limits;
  }

  /** Events kept, and their size. */
  get usage(): EventStoreLimits {
    return { events: this.#events.size, bytes: this.#bytes };
  }

  /** Returns the event's id. `answered` is the id, as JSON, of the request that the message answers. */
  add(stream: string, message?: Buffer, answered?: string): string {
    this.#last += 1;
    const id = String(this.#last);
    const isShort = message === undefined || message.length < this.#limits.bytes / 4;
    const kept = isShort ? message : instead(answered);
    this.#keep({
      id,
      stream,
      isAnswer: answered !== undefined,
      ...(kept === undefined ? {} : { message: kept }),
    });
    return id;
  }

  /** Undefined for an id that was never given, or is too old. */
  resume(lastId: string): Resumption | undefined {
    const stream = this.#events.get(lastId)?.stream;
    if (stream === undefined) return undefined;
    const events = [...this.#events.values()].filter((event) => event.stream === stream);
    return { stream, missed: events.slice(events.findIndex(({ id }) => id === lastId) + 1) };
  }

  clear(): void {
    this.#events.clear();
    this.#bytes = 0;
  }

  #keep(event: StoredEvent): void {
    this.#events.set(event.id, event);
    this.#bytes += event.message?.length ?? 0;
    for (const [id, { message }] of this.#events) {
      if (this.#events.size <= this.#limits.events && this.#bytes <= this.#limits.bytes) return;
      this.#events.delete(id);
      this.#bytes -= message?.length ?? 0;
    }
  }
}

/** A notification can be missed; an answer cannot. */
function instead(answered: string | undefined): Buffer | undefined {
  if (answered === undefined) return undefined;
  const error = {
    code: -32011,
    message: 'The connection broke, and the answer was too long to be kept; it was given, but is lost.',
    data: { code: 'call.outcome_unknown' },
  };
  const text = lineOf(error).toString('utf8').trimEnd();
  return Buffer.from(`{"jsonrpc":"2.0","id":${answered},"error":${text}}\n`);
}
