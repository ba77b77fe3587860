import { createParser } from 'eventsource-parser';
import { longestMessage } from './contract.ts';

/** One event of a stream of server-sent events. */
export interface StreamEvent {
  readonly id: string | undefined;
  /** `message` unless the server named another. */
  readonly name: string;
  /** Empty for an event that only gives an id. */
  readonly data: string;
}

export interface StreamReader {
  event(event: StreamEvent): void;
  /** Milliseconds that the server wishes a reader to wait before it comes back. */
  retry(milliseconds: number): void;
}

/** Longer than the connection may wait for one event. */
export class EventTooLongError extends Error {}

/** Reads the stream to its end, however that comes; rejects with why it broke. */
export async function readEvents(chunks: AsyncIterable<Uint8Array>, reader: StreamReader): Promise<void> {
  const decode = createLineDecoder();
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: longestMessage,
    onEvent: ({ id, event = 'message', data }) => reader.event({ id, name: event, data }),
    onRetry: (milliseconds) => reader.retry(Math.min(milliseconds, longestRetry)),
    onError: ({ type }) => {
      tooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  for await (const chunk of chunks) {
    parser.feed(decode(chunk));
    if (tooLong) throw new EventTooLongError(`An event is longer than ${longestMessage} characters`);
  }
  // Servers that leave out the empty line after their last event mean it all the same.
  parser.feed('\n\n');
}

const longestRetry = 5 * 60_000;

/** Decodes a stream with one kind of line end, so that an event that ends in a single return is told at once. */
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
