import { readByteMessage } from './byte-message.ts';
import { readLenient, readLenientMessages, withoutPrefix } from './lenient-message.ts';
import type { JsonRpcMessage } from './message.ts';
import { ObjectMessage } from './object-message.ts';
import { type MessageSource, RawMessage } from './raw-message.ts';
import type { MessageSender } from './repair-envelope.ts';

/** The messages that transports carry: received as bytes, or a value to be serialized. */
export type WireMessage = JsonRpcMessage | RawMessage;

/**
 * Reads the messages of a line, nearly always one; none if it was never meant as one. A message that breaks
 * the rules beyond repair is `invalid`.
 */
export function readMessages(
  line: Buffer,
  sender: MessageSender,
  source?: MessageSource,
): readonly RawMessage[] {
  const scanned = readByteMessage(line, source);
  return scanned === undefined ? readLenientMessages(line, sender, source) : [scanned];
}

/** Reads a line that is exactly one message. */
export function readMessage(line: Buffer, source?: MessageSource): RawMessage | undefined {
  const message = readByteMessage(line, source) ?? readLenient(withoutPrefix(line), 'client', source);
  return message.kind === 'noise' ? undefined : message;
}

export function toRaw(message: WireMessage): RawMessage {
  return message instanceof RawMessage ? message : new ObjectMessage(message);
}

export function toValue(message: WireMessage): JsonRpcMessage {
  return message instanceof RawMessage ? message.value : message;
}
