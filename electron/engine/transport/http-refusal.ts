import type { ServerResponse } from 'node:http';
import type { JsonRpcId } from '../rpc/message.ts';

/** What an HTTP request is refused with. */
export interface HttpRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
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
