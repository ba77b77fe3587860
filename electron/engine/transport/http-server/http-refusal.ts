import type { ServerResponse } from 'node:http';
import { endAfterRequest } from '../../base/end-after-request.ts';

/** Status, error and headers with which an HTTP request is refused. */
export interface HttpRefusal {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Data of the error. */
  readonly data?: unknown;
}

/** Answers with a JSON-RPC error; `idText` is the id of the request as its client wrote it. */
export function refuse(
  response: ServerResponse,
  { status, code, message, headers, data }: HttpRefusal,
  idText = 'null',
): void {
  const error = JSON.stringify({ code, message, ...(data === undefined ? {} : { data }) });
  answerText(response, status, `{"jsonrpc":"2.0","id":${idText},"error":${error}}`, headers);
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  answerText(response, status, JSON.stringify(value));
}

function answerText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  endAfterRequest(response, text);
}
