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
export async function readEvents(body: ReadableStream<Uint8Array>, reader: StreamReader): Promise<void> {
  const decoder = new TextDecoder();
  let tooLong = false;
  const parser = createParser({
    maxBufferSize: longestMessage,
    onEvent: ({ id, event = 'message', data }) => reader.event({ id, name: event, data }),
    onRetry: (milliseconds) => reader.retry(milliseconds),
    onError: ({ type }) => {
      tooLong ||= type === 'max-buffer-size-exceeded';
    },
  });
  for await (const chunk of body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (tooLong) throw new EventTooLongError(`An event is longer than ${longestMessage} characters`);
  }
}
