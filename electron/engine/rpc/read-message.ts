import { readByteMessage } from './byte-message.ts';
import type { JsonRpcMessage } from './message.ts';
import { ObjectMessage } from './object-message.ts';
import { type MessageSource, RawMessage } from './raw-message.ts';

/** What transports carry: a message as it came, or a value to be written. */
export type WireMessage = JsonRpcMessage | RawMessage;

/** The message of a line; undefined if it was never meant as one. What is meant but breaks the rules is `invalid`. */
export function readMessage(line: Buffer, source?: MessageSource): RawMessage | undefined {
  const scanned = readByteMessage(line, source);
  if (scanned !== undefined) return scanned;
  const message = toRaw(parse(line) as JsonRpcMessage);
  return message.kind === 'noise' ? undefined : message;
}

export function toRaw(message: WireMessage): RawMessage {
  return message instanceof RawMessage ? message : new ObjectMessage(message);
}

export function toValue(message: WireMessage): JsonRpcMessage {
  return message instanceof RawMessage ? message.value : message;
}

/** Noise need not be JSON. Programs of Windows begin what they say with a byte order mark. */
function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}
