import { lineOf } from '../rpc/object-message.ts';

/** One event of a stream, under the id a client comes back with. */
export interface StoredEvent {
  readonly id: string;
  /** Counted over all streams. */
  readonly number: number;
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
 * The last events of one session's streams; what is oldest goes first. A client that comes back with the id of one that
 * has gone is given those after it that are left: notices may be missed, but not the answer that is still to come. An
 * answer that is too long to be kept is kept as an error that says so.
 */
export class SessionEventStore {
  readonly #limits: EventStoreLimits;
  readonly #events = new Set<StoredEvent>();
  #bytes = 0;
  #last: number;

  /** `last` is greater than the number of any event that was told to the client before. */
  constructor(limits: EventStoreLimits = { events: 128, bytes: 1024 * 1024 }, last = 0) {
    this.#limits = limits;
    this.#last = last;
  }

  /** Events kept, and their size. */
  get usage(): EventStoreLimits {
    return { events: this.#events.size, bytes: this.#bytes };
  }

  /** Returns the event's id. `answered` is the id, as JSON, of the request that the message answers. */
  add(stream: string, message?: Buffer, answered?: string): string {
    this.#last += 1;
    const id = `${stream}-${this.#last}`;
    const isShort = message === undefined || message.length < this.#limits.bytes / 4;
    const kept = isShort ? message : instead(answered);
    this.#keep({
      id,
      number: this.#last,
      stream,
      isAnswer: answered !== undefined,
      ...(kept === undefined ? {} : { message: kept }),
    });
    return id;
  }

  /** Undefined for an id that was never given. */
  resume(lastId: string): Resumption | undefined {
    const [, stream, text] = /^(\w+)-(\d{1,15})$/.exec(lastId) ?? [];
    const last = Number(text);
    if (stream === undefined || last > this.#last) return undefined;
    const missed = [...this.#events].filter((event) => event.stream === stream && event.number > last);
    return { stream, missed };
  }

  clear(): void {
    this.#events.clear();
    this.#bytes = 0;
  }

  #keep(event: StoredEvent): void {
    this.#events.add(event);
    this.#bytes += event.message?.length ?? 0;
    for (const oldest of this.#events) {
      if (this.#events.size <= this.#limits.events && this.#bytes <= this.#limits.bytes) return;
      this.#events.delete(oldest);
      this.#bytes -= oldest.message?.length ?? 0;
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
