import type { IncomingMessage, ServerResponse } from 'node:http';
import { type JsonRpcId, rpcErrorCodes } from '../rpc/message.ts';
import type { HttpRefusal } from './http-guard.ts';

type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly refusal: HttpRefusal };

/** The JSON value of a request's body, of at most `limit` bytes. Rejects when the client goes away before its end. */
export async function readJsonBody(request: IncomingMessage, limit: number): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > limit) return tooLarge(limit);
    chunks.push(chunk);
  }
  try {
    return { ok: true, value: JSON.parse(Buffer.concat(chunks).toString('utf8')) };
  } catch {
    const message = 'The body is not JSON';
    return { ok: false, refusal: { status: 400, code: rpcErrorCodes.parseError, message } };
  }
}

/** Answers with a JSON-RPC error; `id` of the request where it is known. */
export function refuse(
  response: ServerResponse,
  { status, code, message, headers }: HttpRefusal,
  id: JsonRpcId | null = null,
  data?: unknown,
): void {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  answerJson(response, status, { jsonrpc: '2.0', id, error }, headers);
}

export function answerJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify(value));
}

/** What is left of the body is not read, so the connection cannot be used again. */
function tooLarge(limit: number): Body {
  const message = `The body is longer than ${limit} bytes`;
  const headers = { connection: 'close' };
  return { ok: false, refusal: { status: 413, code: rpcErrorCodes.invalidRequest, message, headers } };
}
