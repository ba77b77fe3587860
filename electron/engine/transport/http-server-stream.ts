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
  #response: ServerResponse | undefined;

  constructor(key: string, store: SessionEventStore) {
    this.key = key;
    this.#store = store;
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
    return left(response);
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

/** Settles when no more of a response waits to leave than should, or nobody takes it any more. */
export function left(response: ServerResponse): Promise<void> {
  if (response.writableLength <= WAITING_BYTES || response.destroyed) return SENT;
  return new Promise((resolve) => {
    // A stream that stays open for weeks must not gather what waited for its end each time that it was full.
    const settle = () => {
      for (const event of LEFT_EVENTS) response.off(event, settle);
      resolve();
    };
    for (const event of LEFT_EVENTS) response.on(event, settle);
  });
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
/** What may wait before whoever sends is held back. */
const WAITING_BYTES = 4 * 1024 * 1024;
/** What may wait before a client that does not read loses its stream; it can take it up again. */
const HOPELESS_BYTES = 64 * 1024 * 1024;

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
