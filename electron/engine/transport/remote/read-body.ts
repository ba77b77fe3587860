import { parseJson } from '../../../../shared/json.ts';
import { type Clock, delay } from '../../base/clock.ts';
import { QUOTE } from '../../rpc/json-scan.ts';
import type { RawMessage } from '../../rpc/raw-message.ts';
import { readMessages as readLine } from '../../rpc/read-message.ts';
import { onOneLine } from '../one-line.ts';
import { MessagesAfterText } from '../unclear-line.ts';
import type { Body } from './body.ts';

/** The messages of a JSON body, as they came; an older revision allows several in one array. Empty for anything else. */
export function readMessages(body: Buffer): readonly RawMessage[] {
  return readLine(onOneLine(body), 'server');
}

/**
 * The whole body; rejects when it is longer than `limit` bytes. JSON is over with its last brace, whether the server ends
 * the body there, breaks it off, or leaves it open; messages are as soon as one of them is an answer.
 */
export async function readWhole(
  { chunks, cancel }: Pick<Body, 'chunks' | 'cancel'>,
  limit: number,
  clock: Clock,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reading = chunks[Symbol.asyncIterator]();
  for (;;) {
    const next = reading.next();
    try {
      if ((await isSilent(next, clock)) && isWhole(parts)) {
        await cancel();
        return whole(parts);
      }
      const { done, value } = await next;
      if (done === true) return whole(parts);
      length += value.length;
      if (length <= limit) parts.push(value);
    } catch (error) {
      if (isWhole(parts)) return whole(parts);
      throw error;
    }
    if (length > limit) {
      await cancel();
      throw new RangeError(`The answer is longer than ${limit} bytes`);
    }
  }
}

/** Whether nothing has come after a pause; a failure is something. */
async function isSilent(next: Promise<unknown>, clock: Clock): Promise<boolean> {
  const came = new AbortController();
  const something = next.then(
    () => false,
    () => false,
  );
  const isLate = await Promise.race([something, delay(clock, pause, came.signal).then(() => true)]);
  came.abort();
  return isLate;
}

/** A pause that no server makes between two pieces of one answer, as long as it has one whole. */
const pause = 1000;

function isWhole(parts: readonly Uint8Array[]): boolean {
  const end = Buffer.from(parts.at(-1) ?? [])
    .toString('latin1')
    .trimEnd();
  if (!/[}\]]$/.test(end.slice(-1))) return false;
  const body = whole(parts);
  const messages = readMessages(body);
  if (messages.length === 0) return parseJson(body.toString('utf8')) !== undefined;
  return messages.some(({ kind }) => kind === 'result' || kind === 'failure');
}

function whole(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? asBuffer(only) : Buffer.concat(parts);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/**
 * The answer in a body that is not JSON as it stands: behind what a framework has printed before it, or written as a JSON
 * text, as by a framework that was given one.
 */
export function readHidden(body: Buffer): readonly RawMessage[] {
  const inner = body.at(0) === QUOTE ? parseJson(body.toString('utf8')) : undefined;
  if (typeof inner === 'string') return readMessages(Buffer.from(inner));
  const found = new MessagesAfterText().read(onOneLine(body));
  return found === undefined ? [] : [found.message];
}
