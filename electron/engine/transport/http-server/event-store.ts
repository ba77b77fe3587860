import { hubErrorCodes } from '../../../../shared/model/mcp.ts';
import { lineOf } from '../../jsonrpc/object-message.ts';

/** One event of a stream, stored under the id that a client resumes with. */
export interface StoredEvent {
  readonly id: string;
  /** Unique across all streams of the session. */
  readonly number: number;
  readonly stream: string;
  /** JSON bytes; absent for an event that carries only an id. */
  readonly message?: Buffer;
  readonly isAnswer: boolean;
}

/** Events that a client missed before it resumed a broken stream. */
export interface Resumption {
  readonly stream: string;
  readonly missed: readonly StoredEvent[];
}

export interface EventStoreLimits {
  readonly events: number;
  /** Total size of the stored messages. */
  readonly bytes: number;
}

/**
 * Keeps the last events of one session's streams; the oldest are dropped first. A client that resumes with
 * the id of a dropped event gets the later ones that are left: it may miss notifications, but not an answer
 * that is still to come. An answer too long to store is replaced by an error that says so.
 */
export class SessionEventStore {
  readonly #limits: EventStoreLimits;
  readonly #events = new Set<StoredEvent>();
  #bytes = 0;
  #lastNumber: number;

  /** `last` must be greater than the number of any event sent to the client before. */
  constructor(limits: EventStoreLimits = { events: 128, bytes: 1024 * 1024 }, last = 0) {
    this.#limits = limits;
    this.#lastNumber = last;
  }

  /** Number and total size of the stored events. */
  get usage(): EventStoreLimits {
    return { events: this.#events.size, bytes: this.#bytes };
  }

  /** Returns the event's id. `answered` is the id, as JSON, of the request that the message answers. */
  add(stream: string, message?: Buffer, answered?: string): string {
    this.#lastNumber += 1;
    const id = `${stream}-${this.#lastNumber}`;
    const isShort = message === undefined || message.length < this.#limits.bytes / 4;
    const kept = isShort ? message : replacementFor(answered);
    this.#store({
      id,
      number: this.#lastNumber,
      stream,
      isAnswer: answered !== undefined,
      ...(kept === undefined ? {} : { message: kept }),
    });
    return id;
  }

  /** Returns undefined for an id that was never issued. */
  resume(lastId: string): Resumption | undefined {
    const [, stream, text] = /^(\w+)-(\d{1,15})$/.exec(lastId) ?? [];
    const last = Number(text);
    if (stream === undefined || last > this.#lastNumber) return undefined;
    const missed = [...this.#events].filter((event) => event.stream === stream && event.number > last);
    return { stream, missed };
  }

  clear(): void {
    this.#events.clear();
    this.#bytes = 0;
  }

  #store(event: StoredEvent): void {
    this.#events.add(event);
    this.#bytes += event.message?.length ?? 0;
    for (const oldest of this.#events) {
      if (this.#events.size <= this.#limits.events && this.#bytes <= this.#limits.bytes) return;
      this.#events.delete(oldest);
      this.#bytes -= oldest.message?.length ?? 0;
    }
  }
}

/** Replaces a message too long to store: a notification may be missed, an answer may not. */
function replacementFor(answered: string | undefined): Buffer | undefined {
  if (answered === undefined) return undefined;
  const error = {
    code: hubErrorCodes.outcomeUnknown,
    message:
      'The connection broke, and the answer was too long to store. The call was answered, but the answer is lost.',
    data: { code: 'call.outcome_unknown' },
  };
  const text = lineOf(error).toString('utf8').trimEnd();
  return Buffer.from(`{"jsonrpc":"2.0","id":${answered},"error":${text}}\n`);
}
