import { readByteMessage } from './byte-message.ts';
import type { Speaker } from './mend-envelope.ts';
import type { JsonRpcMessage } from './message.ts';
import { ObjectMessage } from './object-message.ts';
import { readOdd, readOddMessages, withoutPrefix } from './odd-message.ts';
import { type MessageSource, RawMessage } from './raw-message.ts';

/** What transports carry: a message as it came, or a value to be written. */
export type WireMessage = JsonRpcMessage | RawMessage;

/**
 * The messages of a line, nearly always one; none if it was never meant as one. What is meant but breaks the rules beyond
 * what can be mended is `invalid`.
 */
export function readMessages(line: Buffer, speaker: Speaker, source?: MessageSource): readonly RawMessage[] {
  const scanned = readByteMessage(line, source);
  return scanned === undefined ? readOddMessages(line, speaker, source) : [scanned];
}

/** The message that all of a line is. */
export function readMessage(line: Buffer, source?: MessageSource): RawMessage | undefined {
  const message = readByteMessage(line, source) ?? readOdd([withoutPrefix(line)], 'client', source);
  return message.kind === 'noise' ? undefined : message;
}

export function toRaw(message: WireMessage): RawMessage {
  return message instanceof RawMessage ? message : new ObjectMessage(message);
}

export function toValue(message: WireMessage): JsonRpcMessage {
  return message instanceof RawMessage ? message.value : message;
}
