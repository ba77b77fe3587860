import type { EventStore } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/** One event of a stream, under the id a client comes back with. */
export interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  /** Absent for the event that only opens a stream. */
  readonly message?: JSONRPCMessage;
}

/** What a client that comes back to a broken stream has missed. */
export interface Resumption {
  readonly stream: string;
  readonly missed: readonly StoredEvent[];
  /** The stream's request has been answered: nothing will follow. */
  readonly isOver: boolean;
}

export interface EventStoreLimits {
  readonly events: number;
  /** Over all messages kept, as measured by {@link sizeOf}. */
  readonly bytes: number;
}

/**
 * The last events of one session's streams. What is oldest goes first, so that a stream whose beginning is still known
 * is known whole; an id that has gone is refused, and its client knows where it is. A message that is too long to be
 * kept is kept as an error that says so.
 */
export class SessionEventStore implements EventStore {
  readonly #limits: EventStoreLimits;
  readonly #events = new Map<string, StoredEvent & { readonly size: number }>();
  #bytes = 0;
  #last = 0;

  constructor(limits: EventStoreLimits = { events: 128, bytes: 1024 * 1024 }) {
    this.#limits = limits;
  }

  /** Events kept, and their size. */
  get usage(): EventStoreLimits {
    return { events: this.#events.size, bytes: this.#bytes };
  }

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    this.#last += 1;
    const id = String(this.#last);
    const most = this.#limits.bytes / 4;
    const size = sizeOf(message, most);
    const isShort = size < most;
    this.#keep({ id, stream, size: isShort ? size : 0, ...partOf(isShort ? message : tooLong(message)) });
    return id;
  }

  async getStreamIdForEventId(id: string): Promise<string | undefined> {
    return this.#events.get(id)?.stream;
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { readonly send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const found = this.resume(lastId);
    for (const { id, message } of found?.missed ?? []) if (message !== undefined) await send(id, message);
    return found?.stream ?? '';
  }

  /** Undefined for an id that was never given, or is too old. */
  resume(lastId: string): Resumption | undefined {
    const stream = this.#events.get(lastId)?.stream;
    if (stream === undefined) return undefined;
    const events = [...this.#events.values()].filter((event) => event.stream === stream);
    const missed = events.slice(events.findIndex(({ id }) => id === lastId) + 1);
    const isOver = events.some(({ message }) => message !== undefined && !('method' in message));
    return { stream, missed, isOver };
  }

  clear(): void {
    this.#events.clear();
    this.#bytes = 0;
  }

  #keep(event: StoredEvent & { readonly size: number }): void {
    this.#events.set(event.id, event);
    this.#bytes += event.size;
    for (const [id, { size }] of this.#events) {
      if (this.#events.size <= this.#limits.events && this.#bytes <= this.#limits.bytes) return;
      this.#events.delete(id);
      this.#bytes -= size;
    }
  }
}

/**
 * About how many bytes a value takes; stops counting at `most`, so that a huge one costs no more than a large one.
 * Throws for one that is nested too deeply to be written as JSON, which the SDK would drop without a word.
 */
export function sizeOf(value: unknown, most: number, depth = 0): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  if (depth > deepest) throw new RangeError(`It is nested more than ${deepest} levels deep`);
  let size = 2;
  for (const member in value) {
    const inner = sizeOf(Reflect.get(value, member), most - size, depth + 1);
    size += (Array.isArray(value) ? 1 : member.length + 4) + inner;
    if (size >= most) return most;
  }
  return size;
}

/** JSON.stringify gives up somewhat later, depending on what else is on the stack. */
const deepest = 1_000;

/** The SDK opens a stream with an event of no message. */
function partOf(message: JSONRPCMessage | undefined): Pick<StoredEvent, 'message'> {
  return message === undefined || !('jsonrpc' in message) ? {} : { message };
}

/** A notification can be missed; an answer cannot. */
function tooLong(message: JSONRPCMessage): JSONRPCMessage | undefined {
  if ('method' in message || message.id === undefined) return undefined;
  const error = {
    code: -32011,
    message: 'The connection broke, and the answer was too long to be kept; it was given, but is lost.',
    data: { code: 'call.outcome_unknown' },
  };
  return { jsonrpc: '2.0', id: message.id, error };
}
