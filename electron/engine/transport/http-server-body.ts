import type { IncomingMessage } from 'node:http';
import { readByteMessage } from '../rpc/byte-message.ts';
import { type JsonRpcMessage, rpcErrorCodes } from '../rpc/message.ts';
import { isId, type LooseEnvelope } from '../rpc/message-kind.ts';
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

/** Reads the body of a POST, of at most `limit` bytes. Rejects when the client goes away before its end. */
export function readHttpBody(request: IncomingMessage, limit: number): Promise<HttpBody> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.resolve(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('error', reject);
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        request.pause();
        resolve(tooLarge(limit));
      }
    });
    request.on('end', () => {
      if (size <= limit) resolve(readMessages(joined(chunks, size)));
    });
  });
}

function joined(chunks: readonly Buffer[], size: number): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, size);
}

function readMessages(bytes: Buffer): HttpBody {
  const message = readByteMessage(onOneLine(bytes));
  if (message !== undefined) return { ok: true, posted: { messages: [message], isBatch: false } };
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
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
