import type { IncomingMessage } from 'node:http';
import { readPieces } from '../rpc/byte-message.ts';
import { type JsonRpcMessage, rpcErrorCodes } from '../rpc/message.ts';
import { isId, type LooseEnvelope } from '../rpc/message-kind.ts';
import { joined, type Pieces } from '../rpc/pieces.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import type { HttpRefusal } from './http-refusal.ts';
import { onOneLine } from './one-line.ts';

/** What a POST carried: messages, of which a client of most revisions may send one at a time. */
export interface PostedMessages {
  readonly messages: readonly [RawMessage, ...RawMessage[]];
  readonly isBatch: boolean;
}

export type HttpBody =
  | { readonly ok: true; readonly posted: PostedMessages }
  | { readonly ok: false; readonly refusal: HttpRefusal; readonly id: string | number | null };

/** Hears once what became of a body. */
export interface BodyTaker {
  take(body: HttpBody): void;
  /** The client went away before its end. */
  fail(error: unknown): void;
}

/** Reads the body of a POST, of at most `limit` bytes. What takes it is called as soon as the last of it is there. */
export function readHttpBody(request: IncomingMessage, limit: number, taker: BodyTaker): void {
  if (Number(request.headers['content-length'] ?? 0) > limit) taker.take(tooLarge(limit));
  else gather(request, limit, taker);
}

function gather(request: IncomingMessage, limit: number, taker: BodyTaker): void {
  const chunks: Buffer[] = [];
  let size = 0;
  let isTold = false;
  request.on('error', (error) => {
    if (!isTold) taker.fail(error);
    isTold = true;
  });
  request.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size <= limit) {
      chunks.push(chunk);
      return;
    }
    request.pause();
    if (!isTold) taker.take(tooLarge(limit));
    isTold = true;
  });
  request.on('end', () => {
    if (!isTold) taker.take(readMessages(size < longBody ? [joined(chunks)] : chunks));
    isTold = true;
  });
}

/** From this size on it costs something to put a body together. */
const longBody = 64 * 1024;

function readMessages(pieces: Pieces): HttpBody {
  const message = readPieces(pieces.map(onOneLine));
  if (message !== undefined) return { ok: true, posted: { messages: [message], isBatch: false } };
  let value: unknown;
  try {
    value = JSON.parse(joined(pieces).toString('utf8'));
  } catch {
    return refused(rpcErrorCodes.parseError, 'The body is not JSON');
  }
  const [first, ...rest] = (Array.isArray(value) ? value : [value]).map((one) =>
    toRaw(one as JsonRpcMessage),
  );
  const isSound = [first, ...rest].every((one) => one !== undefined && !unsound.has(one.kind));
  if (first !== undefined && isSound) {
    return { ok: true, posted: { messages: [first, ...rest], isBatch: Array.isArray(value) } };
  }
  const id = (value as LooseEnvelope | null)?.id;
  return refused(rpcErrorCodes.invalidRequest, 'The body is no JSON-RPC message', isId(id) ? id : null);
}

const unsound: ReadonlySet<string> = new Set(['invalid', 'noise']);

function refused(code: number, message: string, id: string | number | null = null): HttpBody {
  return { ok: false, refusal: { status: 400, code, message }, id };
}

/** What is left of the body is not read, so the connection cannot be used again. */
function tooLarge(limit: number): HttpBody {
  const message = `The body is longer than ${limit} bytes`;
  const headers = { connection: 'close' };
  return {
    ok: false,
    refusal: { status: 413, code: rpcErrorCodes.invalidRequest, message, headers },
    id: null,
  };
}
