import type { JsonRpcFailure, JsonRpcId, JsonRpcMessage } from '../../rpc/message.ts';
import { messageKind } from '../../rpc/message-kind.ts';
import type { RawMessage } from '../../rpc/raw-message.ts';
import { readMessage, toRaw } from '../../rpc/read-message.ts';
import { onOneLine } from '../one-line.ts';

/** The messages of a JSON body, as they came; an older revision allows several in one array. Empty for anything else. */
export function readMessages(body: Buffer): readonly RawMessage[] {
  if (body[body.findIndex((byte) => !isSpace(byte))] === OPEN_BRACKET) return readBatch(body);
  const message = readMessage(onOneLine(body));
  return message === undefined ? [] : [message];
}

/** The JSON-RPC error in the body of an HTTP error. It often carries no id; it belongs to the request that was posted. */
export function readRefusal(body: Buffer, id: JsonRpcId): JsonRpcFailure | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    // The kind has been checked.
    return messageKind(value) === 'failure' ? { ...(value as JsonRpcFailure), id } : undefined;
  } catch {
    return undefined;
  }
}

/** The whole body; rejects when it is longer than `limit` bytes. */
export async function readWhole(response: Response, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > limit) throw new RangeError(`The answer is longer than ${limit} bytes`);
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? asBuffer(only) : Buffer.concat(chunks, length);
}

const OPEN_BRACKET = 0x5b;

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}

function readBatch(body: Buffer): readonly RawMessage[] {
  try {
    const batch: unknown = JSON.parse(body.toString('utf8'));
    const messages = Array.isArray(batch) ? batch.map((item) => toRaw(item as JsonRpcMessage)) : [];
    return messages.filter(({ kind }) => kind !== 'noise');
  } catch {
    return [];
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
