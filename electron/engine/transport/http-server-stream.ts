import type { ServerResponse } from 'node:http';
import { SENT } from '../rpc/transport.ts';
import type { SessionEventStore, StoredEvent } from './event-store.ts';

/** A message on a line of its own, with its newline, in pieces. */
export type Line = readonly Buffer[];

/**
 * A stream of events to the client, on whatever response carries it at the moment: a client that comes back brings a
 * new one. What is written while there is none is kept in the store.
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

  /** On a response whose head has been written; the one before it ends. */
  attach(response: ServerResponse, missed: readonly StoredEvent[] = []): void {
    this.end();
    this.#response = response;
    response.once('close', () => {
      if (this.#response === response) this.#response = undefined;
    });
    for (const { id, message } of missed) if (message !== undefined) writeEvent(response, id, message);
  }

  /** Says only where the stream can be taken up again, and when. */
  prime(): void {
    this.#response?.write(`id: ${this.#store.add(this.key)}\nretry: ${RETRY_MS}\ndata: \n\n`);
  }

  /** `answered` is the id, as JSON, of the request that the message answers. */
  write(line: Line, answered?: string): Promise<void> {
    const message = joined(line);
    const id = this.#store.add(this.key, message, answered);
    const response = this.#response;
    if (response === undefined) return SENT;
    if (response.writableLength > HOPELESS_BYTES) response.destroy();
    else writeEvent(response, id, message);
    return this.#unread.left(response);
  }

  end(): void {
    this.#response?.end();
    this.#response = undefined;
  }
}

/** Begins an event stream; what it was asked for need not be there yet. */
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
 * Counts what the client of one session has been sent and has not read, over all its responses: one promise holds back
 * all senders while that is much, and a client that lets far more pile up loses its responses.
 */
export class UnreadResponses {
  readonly #waiting = new Set<ServerResponse>();
  #congestion: { readonly over: Promise<void>; readonly end: () => void } | undefined;

  get congestion(): Promise<void> | undefined {
    return this.#congestion?.over;
  }

  /** Settles when no more of a response waits to leave than should, or nobody takes it any more. */
  left(response: ServerResponse): Promise<void> {
    if (response.writableLength <= UNNOTICED_BYTES || response.destroyed) return SENT;
    const taken = this.#watch(response);
    if (this.#bytes > DEAF_BYTES) for (const unread of this.#waiting) unread.destroy();
    else if (this.#bytes > WAITING_BYTES) this.#congestion ??= createCongestion();
    return response.writableLength <= WAITING_BYTES ? SENT : taken;
  }

  get #bytes(): number {
    let bytes = 0;
    for (const { writableLength } of this.#waiting) bytes += writableLength;
    return bytes;
  }

  #watch(response: ServerResponse): Promise<void> {
    this.#waiting.add(response);
    return new Promise((resolve) => {
      // A stream that stays open for weeks must not gather what waited for its end each time that it was full.
      const settle = () => {
        for (const event of LEFT_EVENTS) response.off(event, settle);
        this.#waiting.delete(response);
        // Only a client that reads shows that it is worth waiting for.
        if (!response.destroyed) this.#reconsider();
        resolve();
      };
      for (const event of LEFT_EVENTS) response.on(event, settle);
    });
  }

  #reconsider(): void {
    if (this.#congestion === undefined || this.#bytes > WAITING_BYTES) return;
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

/** The message ends with a newline of its own. As Latin-1, bytes leave as they are. */
export function writeEvent(response: ServerResponse, id: string, message: Buffer): void {
  const head = `event: message\nid: ${id}\ndata: `;
  if (message.length > GATHERED_BYTES) {
    response.write(head);
    response.write(withoutReturns(message));
    response.write('\n');
  } else response.write(`${head}${withoutReturns(message).toString('latin1')}\n`, 'latin1');
}

/** Milliseconds after which a client whose stream broke is to come back. */
const RETRY_MS = 1_000;
const GATHERED_BYTES = 64 * 1024;
const LEFT_EVENTS = ['drain', 'finish', 'close'];
/** Bytes that may wait without being counted: most answers leave at once. */
const UNNOTICED_BYTES = 64 * 1024;
/** What may wait before whoever sends is held back. */
const WAITING_BYTES = 4 * 1024 * 1024;
/** What may wait before a client that does not read loses its stream; it can take it up again. */
const HOPELESS_BYTES = 64 * 1024 * 1024;
/** Bytes that may wait over all responses of a session before a client that does not read loses them. */
const DEAF_BYTES = 256 * 1024 * 1024;

const RETURN = 0x0d;

export function sizeOf(line: Line): number {
  let size = 0;
  for (const piece of line) size += piece.length;
  return size;
}

/** Its bytes as Latin-1. */
export function textOf(line: Line): string {
  let text = '';
  for (const piece of line) text += piece.toString('latin1');
  return text;
}

function joined(line: Line): Buffer {
  const [first] = line;
  return first !== undefined && line.length === 1 ? first : Buffer.concat(line);
}

/** An event ends its lines at these too; in a message they can only stand between its parts. */
function withoutReturns(message: Buffer): Buffer {
  if (!message.includes(RETURN)) return message;
  return Buffer.from(message.map((byte) => (byte === RETURN ? 0x20 : byte)));
}
