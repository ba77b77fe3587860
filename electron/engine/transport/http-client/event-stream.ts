import { createParser } from 'eventsource-parser';
import { parseJson } from '../../../../shared/json.ts';
import { maxMessageLength } from './contract.ts';

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
export async function readEvents(chunks: AsyncIterable<Uint8Array>, reader: StreamReader): Promise<void> {
  const decode = createLineDecoder();
  let tooLong = false;
  const unnamed = new UnnamedLines();
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
  for await (const chunk of chunks) {
    parser.feed(decode(chunk));
    if (tooLong) throw new EventTooLongError(`An event is longer than ${maxMessageLength} characters`);
  }
  // Completes the last event of servers that leave out the empty line after it.
  parser.feed('\n\n');
}

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

/**
 * Decodes a stream and normalizes its line ends, so that an event that ends in a single carriage return is
 * emitted at once.
 */
function createLineDecoder(): (chunk: Uint8Array) => string {
  const decoder = new TextDecoder();
  let endedInReturn = false;
  return (chunk) => {
    const text = decoder.decode(chunk, { stream: true });
    if (text === '') return '';
    const rest = endedInReturn && text.startsWith('\n') ? text.slice(1) : text;
    endedInReturn = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  };
}
