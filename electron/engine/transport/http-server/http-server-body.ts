import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { parseJson } from '../../../../shared/json.ts';
import { joined } from '../../base/joined.ts';
import { readByteMessage } from '../../jsonrpc/byte-message.ts';
import { BROKEN, OPEN_BRACKET, skipSpace, skipValue } from '../../jsonrpc/json/json-scan.ts';
import { elementSpans } from '../../jsonrpc/json/json-spans.ts';
import { readLenient, withoutPrefix } from '../../jsonrpc/lenient-message.ts';
import { rpcErrorCodes } from '../../jsonrpc/message.ts';
import { isId, type UncheckedEnvelope } from '../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toOneLine } from '../one-line.ts';
import { maxInBatch } from '../stdio/batches.ts';
import { charsetIn, Utf8Input } from '../utf8-input.ts';
import type { HttpRefusal } from './http-refusal.ts';

/** Messages of one POST. Most revisions allow only one. */
export interface PostedMessages {
  readonly messages: readonly [RawMessage, ...RawMessage[]];
  readonly isBatch: boolean;
}

export type HttpBody =
  | { readonly ok: true; readonly posted: PostedMessages }
  | { readonly ok: false; readonly refusal: HttpRefusal /** As JSON. */; readonly idText: string };

/** Receives the outcome of a body, once. */
export interface BodyHandler {
  onBody(body: HttpBody): void;
  /** The client disconnected before the end. */
  onError(error: unknown): void;
}

/** Reads the body of a POST, up to `limit` bytes, and calls the handler as soon as it is complete. */
export function readHttpBody(request: IncomingMessage, limit: number, taker: BodyHandler): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) taker.onBody(tooLarge(limit));
  else collect(request, limit, taker);
}

function collect(request: IncomingMessage, limit: number, taker: BodyHandler): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isSettled = false;
  request.on('error', (error) => {
    if (!isSettled) taker.onError(error);
    isSettled = true;
  });
  request.on('data', (chunk: Buffer) => {
    if (isSettled) return;
    size += chunk.length;
    if (size <= limit) {
      chunks.push(chunk);
      return;
    }
    isSettled = true;
    chunks.length = 0;
    taker.onBody(tooLarge(limit));
  });
  request.on('end', () => {
    // Most bodies come in one chunk, which Node has copied out of its read buffer.
    if (!isSettled) taker.onBody(readTyped(request.headers, joined(chunks, size)));
    isSettled = true;
  });
}

/** Reads the body by its content; its headers matter only if it cannot be parsed. */
function readTyped(headers: IncomingHttpHeaders, bytes: Buffer): HttpBody {
  const { 'content-type': type, 'content-encoding': packing = 'identity' } = headers;
  const input = new Utf8Input(charsetIn(type ?? ''));
  const body = readMessages(joined([input.read(bytes), input.end()]));
  if (body.ok || body.refusal.code !== rpcErrorCodes.parseError) return body;
  if (packing !== 'identity') {
    const message = `The body is compressed (${packing.slice(0, 40)}); send it uncompressed`;
    const refusal = { ...body.refusal, status: 415, message, headers: { 'accept-encoding': 'identity' } };
    return { ...body, refusal };
  }
  if (isJson(type)) return body;
  const message = `The body is not JSON (content type: ${type === undefined ? 'none' : JSON.stringify(type)})`;
  return { ...body, refusal: { ...body.refusal, status: 415, message } };
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^\s*application\/(?:[\w.-]{1,64}\+)?json\b/i.test(type);
}

function readMessages(received: Buffer): HttpBody {
  const line = toOneLine(received);
  const message = readByteMessage(line);
  if (message !== undefined) return { ok: true, posted: { messages: [message], isBatch: false } };
  const bytes = withoutPrefix(line);
  return bytes[0] === OPEN_BRACKET ? readBatch(bytes) : readSingle(bytes);
}

function readSingle(bytes: Buffer): HttpBody {
  const message = readLenient(bytes, 'client');
  if (!invalidKinds.has(message.kind)) return { ok: true, posted: { messages: [message], isBatch: false } };
  const value = parseJson(bytes.toString('utf8')) as UncheckedEnvelope | null | undefined;
  if (value === undefined) return refused(rpcErrorCodes.parseError, 'The body is not JSON');
  return refused(
    rpcErrorCodes.invalidRequest,
    'The body is not a JSON-RPC message',
    isId(value?.id) ? JSON.stringify(value.id) : 'null',
  );
}

function readBatch(bytes: Buffer): HttpBody {
  const end = skipValue(bytes, 0);
  if (end === BROKEN || skipSpace(bytes, end) !== bytes.length)
    return refused(rpcErrorCodes.parseError, 'The body is not JSON');
  const spans = elementSpans(bytes, 0, maxInBatch + 1);
  if (spans.length > maxInBatch) {
    const sentence = `A batch may have at most ${maxInBatch} messages`;
    return refused(rpcErrorCodes.invalidRequest, sentence);
  }
  const [first, ...rest] = spans.map((span) => readElement(bytes.subarray(span.start, span.end)));
  if (first === undefined || [first, ...rest].some(({ kind }) => invalidKinds.has(kind)))
    return refused(rpcErrorCodes.invalidRequest, 'The body is not a JSON-RPC message');
  return { ok: true, posted: { messages: [first, ...rest], isBatch: true } };
}

function readElement(bytes: Buffer): RawMessage {
  return readByteMessage(bytes) ?? readLenient(bytes, 'client');
}

const invalidKinds: ReadonlySet<string> = new Set(['invalid', 'noise']);

function refused(code: number, message: string, idText = 'null'): HttpBody {
  return { ok: false, refusal: { status: 400, code, message }, idText };
}

/** Closes the connection: the rest of the body is not read, so it cannot be reused. */
function tooLarge(limit: number): HttpBody {
  const message = `The body is longer than ${limit} bytes`;
  const headers = { connection: 'close' };
  return {
    ok: false,
    refusal: { status: 413, code: rpcErrorCodes.invalidRequest, message, headers },
    idText: 'null',
  };
}
