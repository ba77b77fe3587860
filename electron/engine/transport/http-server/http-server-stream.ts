import type { ServerResponse } from 'node:http';
import type { SessionEventStore, StoredEvent } from './event-store.ts';

/**
 * A stream of events to the client, on the response that currently carries it: a client that resumes brings a
 * new one. Events written in the meantime are kept in the store.
 */
export class EventStream {
  readonly key: string;
  readonly #store: SessionEventStore;
  readonly #unread: UnreadResponses;
  #response: ServerResponse | undefined;

  constructor(key: string, store: SessionEventStore, unread: UnreadResponses) {
    this.key = key;
    this.#store = store;
    this.#unread = unread;
  }

  get isOpen(): boolean {
    return this.#response !== undefined;
  }

  /** Attaches a response whose head has been written; the previous one ends. */
  attach(response: ServerResponse, missed: readonly StoredEvent[] = []): void {
    this.end();
    this.#response = response;
    response.once('close', () => {
      if (this.#response === response) this.#response = undefined;
    });
    for (const { id, message } of missed) if (message !== undefined) writeEvent(response, id, message);
  }

  /** Sends only the id to resume from and the retry delay. */
  prime(): void {
    this.#response?.write(`id: ${this.#store.add(this.key)}\nretry: ${RETRY_MS}\ndata: \n\n`);
  }

  /**
   * Writes a message, given as one line with its newline. `answered` is the id, as JSON, of the request that it
   * answers.
   */
  write(message: Buffer, answered?: string): Promise<void> {
    const id = this.#store.add(this.key, message, answered);
    const response = this.#response;
    return response === undefined ? Promise.resolve() : this.#unread.write(response, message, id);
  }

  end(): void {
    this.#response?.end();
    this.#response = undefined;
  }
}

/** Starts an event stream at once; its events may come later. */
export function beginEvents(response: ServerResponse, sessionId: string): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'mcp-session-id': sessionId,
  });
  response.flushHeaders();
}

/**
 * Counts the bytes that the client of one session has not read, over all its responses. One promise holds
 * back all senders while the count is high; a client that lets far more pile up loses its responses.
 */
export class UnreadResponses {
  /** Each with the promise of its being flushed, which all of its messages wait for. */
  readonly #waiting = new Map<ServerResponse, Promise<void>>();
  #congestion: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  get congestion(): Promise<void> | undefined {
    return this.#congestion?.over;
  }

  /** Writes an event, unless far too many wait already: then the response is lost. See {@link whenFlushed}. */
  write(response: ServerResponse, message: Buffer, id?: string): Promise<void> {
    if (response.writableLength > MAX_STREAM_BYTES) response.destroy();
    else writeEvent(response, id, message);
    return this.whenFlushed(response);
  }

  /** Resolves when few enough bytes of the response are waiting, or when it has closed. */
  whenFlushed(response: ServerResponse): Promise<void> {
    if (response.writableLength <= UNCOUNTED_BYTES || response.destroyed) return Promise.resolve();
    const taken = this.#waiting.get(response) ?? this.#watch(response);
    if (this.#bytes > MAX_SESSION_BYTES) for (const unread of this.#waiting.keys()) unread.destroy();
    else if (this.#bytes > CONGESTION_BYTES) this.#congestion ??= createCongestion();
    return response.writableLength <= CONGESTION_BYTES ? Promise.resolve() : taken;
  }

  get #bytes(): number {
    let bytes = 0;
    for (const { writableLength } of this.#waiting.keys()) bytes += writableLength;
    return bytes;
  }

  #watch(response: ServerResponse): Promise<void> {
    const flushed = new Promise<void>((resolve) => {
      // Listeners are removed each time; a stream that is open for weeks must not collect them.
      const settle = () => {
        for (const event of FLUSHED_EVENTS) response.off(event, settle);
        this.#waiting.delete(response);
        // Only a client that still reads is worth waiting for.
        if (!response.destroyed) this.#updateCongestion();
        resolve();
      };
      for (const event of FLUSHED_EVENTS) response.on(event, settle);
    });
    this.#waiting.set(response, flushed);
    return flushed;
  }

  #updateCongestion(): void {
    if (this.#congestion === undefined || this.#bytes > CONGESTION_BYTES) return;
    this.#congestion.end();
    this.#congestion = undefined;
  }
}

function createCongestion() {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { over, end };
}

/** The message ends with its own newline. Without an id, the client cannot resume from it. */
function writeEvent(response: ServerResponse, id: string | undefined, message: Buffer): void {
  const head = Buffer.from(`event: message\n${id === undefined ? '' : `id: ${id}\n`}data: `);
  response.write(Buffer.concat([head, withoutCarriageReturns(message), NEWLINE]));
}

const NEWLINE = Buffer.from('\n');
/** Milliseconds after which a client should resume a broken stream. */
const RETRY_MS = 1_000;
const FLUSHED_EVENTS = ['drain', 'finish', 'close'];
/** Bytes that may wait without being counted; most answers are sent at once. */
const UNCOUNTED_BYTES = 64 * 1024;
/** Bytes that may wait before senders are held back. */
const CONGESTION_BYTES = 4 * 1024 * 1024;
/** Bytes that may wait before a client that does not read loses its stream; it can resume it. */
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
/** Bytes that may wait over all responses of a session before a client that does not read loses them. */
const MAX_SESSION_BYTES = 256 * 1024 * 1024;

const RETURN = 0x0d;

/** A carriage return would end a line of the event; in JSON it can only occur between tokens. */
function withoutCarriageReturns(message: Buffer): Buffer {
  if (!message.includes(RETURN)) return message;
  return Buffer.from(message.map((byte) => (byte === RETURN ? 0x20 : byte)));
}
