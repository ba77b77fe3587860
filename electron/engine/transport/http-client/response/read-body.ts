import { parseJson } from '../../../../../shared/json.ts';
import { type Clock, delay } from '../../../base/clock.ts';
import { QUOTE } from '../../../jsonrpc/json/json-scan.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { readMessages as readLine } from '../../../jsonrpc/read-message.ts';
import { toOneLine } from '../../one-line.ts';
import { MessagesAfterText } from '../../stdio/invalid-line.ts';
import { inUtf8 } from '../../utf8-input.ts';
import type { Body } from './body.ts';

/**
 * Reads the messages of a JSON body unchanged; an older revision allows several in one array. Returns an
 * empty list for anything else.
 */
export function readMessages(body: Buffer): readonly RawMessage[] {
  return readLine(toOneLine(body), 'server');
}

/**
 * Reads the whole body; rejects if it exceeds `limit` bytes. JSON ends with its last brace, whether the
 * server then ends the body, breaks it off or leaves it open; messages end as soon as one of them is an
 * answer.
 */
export async function readWhole(
  { chunks, cancel }: Pick<Body, 'chunks' | 'cancel'>,
  limit: number,
  clock: Clock,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const iterator = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = iterator.next();
    try {
      if ((await isSilent(next, clock)) && isWhole(parts)) {
        await cancel();
        return inUtf8(joinParts(parts));
      }
      const { done, value } = await next;
      if (done === true) return inUtf8(joinParts(parts));
      length += value.length;
      if (length <= limit) parts.push(value);
    } catch (error) {
      if (isWhole(parts)) return inUtf8(joinParts(parts));
      throw error;
    }
    if (length > limit) {
      await cancel();
      throw new RangeError(`The answer is longer than ${limit} bytes`);
    }
  }
}

/** Returns true if nothing arrived during a pause; a failure counts as something. */
export async function isSilent(next: Promise<unknown>, clock: Clock): Promise<boolean> {
  const came = new AbortController();
  const something = next.then(
    () => false,
    () => false,
  );
  const isLate = await Promise.race([something, delay(clock, silenceMs, came.signal).then(() => true)]);
  came.abort();
  return isLate;
}

/** Milliseconds; longer than any server pauses between two pieces of an answer that it already has. */
const silenceMs = 1000;

function isWhole(parts: readonly Uint8Array[]): boolean {
  const end = Buffer.from(parts.at(-1) ?? [])
    .toString('latin1')
    .trimEnd();
  if (!/[}\]]$/.test(end.slice(-1))) return false;
  const body = joinParts(parts);
  const messages = readMessages(body);
  if (messages.length === 0) return parseJson(body.toString('utf8')) !== undefined;
  return messages.some(({ kind }) => kind === 'result' || kind === 'failure');
}

function joinParts(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? asBuffer(only) : Buffer.concat(parts);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads the messages of an event; some servers write the name of the field twice, or JSON as a JSON text. */
export function readEventData(text: string): readonly RawMessage[] {
  const data = Buffer.from(text);
  const messages = readMessages(data);
  return messages.length === 0 ? readEmbedded(data) : messages;
}

/**
 * Finds the answer in a body that is not plain JSON: after text that a framework printed first, or inside a
 * JSON string.
 */
export function readEmbedded(body: Buffer): readonly RawMessage[] {
  const inner = body.at(0) === QUOTE ? parseJson(body.toString('utf8')) : undefined;
  if (typeof inner === 'string') return readMessages(Buffer.from(inner));
  const found = new MessagesAfterText().read(toOneLine(body));
  return found?.messages ?? [];
}
