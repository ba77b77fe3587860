import { createParser } from 'eventsource-parser';
import { parseJson } from '../../../../../shared/json.ts';
import type { Clock } from '../../../base/clock.ts';
import { maxMessageLength } from '../contract.ts';
import { EventLines } from './event-lines.ts';
import { isSilent } from './read-body.ts';

/** One server-sent event. */
export interface StreamEvent {
  readonly id: string | undefined;
  /** `message`, unless the server named another type. */
  readonly name: string;
  /** Empty for an event that carries only an id. */
  readonly data: string;
}

export interface StreamReader {
  event(event: StreamEvent): void;
  /** Milliseconds that the server asks a reader to wait before reconnecting. */
  retry(milliseconds: number): void;
}

/** An event exceeds the limit of the connection. */
export class EventTooLongError extends Error {}

/** Reads the stream to its end; rejects with the reason if it breaks. */
export async function readEvents(
  chunks: AsyncIterable<Uint8Array>,
  reader: StreamReader,
  clock: Clock,
): Promise<void> {
  const lines = new EventLines();
  const unended = new UnendedEvent();
  const unnamed = new UnnamedLines();
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: maxMessageLength,
    onEvent: ({ id, event = 'message', data }) =>
      reader.event({ id, name: event, data: unnamed.completed(data) }),
    onRetry: (milliseconds) => reader.retry(Math.min(milliseconds, maxRetryMs)),
    onError: ({ type, line }) => {
      tooLong ||= type === 'max-buffer-size-exceeded';
      if (type === 'unknown-field' && line !== undefined) unnamed.add(line);
    },
  });
  const feed = (text: string) => {
    parser.feed(text);
    if (tooLong) throw new EventTooLongError(`An event is longer than ${maxMessageLength} characters`);
    unended.add(text);
  };
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      // Completes an event of a server that leaves out the empty line and leaves the stream open.
      if (unended.isPossible && (await isSilent(next, clock)) && unended.isWhole()) feed('\n\n');
      const { done, value } = await next;
      if (done === true) break;
      feed(lines.read(value));
    }
  } finally {
    await iterator.return?.();
  }
  // Completes the last event of servers that leave out the empty line after it.
  feed(`${lines.rest()}\n\n`);
}

/** The text of an event whose empty line has not arrived yet, unless it is too long to be looked at. */
class UnendedEvent {
  #pieces: string[] = [];
  #length = 0;
  #endsLine = false;

  add(text: string): void {
    if (text === '') return;
    const end = text.lastIndexOf('\n\n');
    const isEnded = this.#endsLine && text.startsWith('\n');
    this.#endsLine = text.endsWith('\n');
    if (end === -1 && !isEnded) {
      this.#keep(text);
      return;
    }
    this.#pieces = [];
    this.#length = 0;
    this.#keep(end === -1 ? text.slice(1) : text.slice(end + 2));
  }

  #keep(text: string): void {
    this.#length += text.length;
    if (this.isPossible) this.#pieces.push(text);
    else this.#pieces = [];
  }

  get isPossible(): boolean {
    return this.#length > 0 && this.#length < maxUnendedLength;
  }

  /** Returns true for JSON over all lines, or on each of them if events without an empty line have joined. */
  isWhole(): boolean {
    const lines = this.#pieces.join('').split('\n');
    const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []));
    return isJson(data.join('\n')) || (data.length > 0 && data.every(isJson));
  }
}

function isJson(text: string): boolean {
  return /^\s*[{[]/.test(text) && parseJson(text) !== undefined;
}

/** Characters; a longer event waits for its empty line. */
const maxUnendedLength = 4_000_000;

/** Lines without a field name: the rest of JSON that a server prints over several lines. */
class UnnamedLines {
  #lines: string[] = [];
  #length = 0;

  add(line: string): void {
    this.#length += line.length;
    if (this.#length <= maxMessageLength) this.#lines.push(line);
  }

  /** Appends the lines to the data of their event if that is the start of JSON. */
  completed(data: string): string {
    const lines = this.#lines;
    this.#lines = [];
    this.#length = 0;
    const isStart = lines.length > 0 && /^[{[]/.test(data) && parseJson(data) === undefined;
    return isStart ? [data, ...lines].join('\n') : data;
  }
}

const maxRetryMs = 5 * 60_000;
