import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type HttpBody,
  type PostedMessages,
  readHttpBody,
} from '../../electron/engine/transport/http-server-body.ts';

export interface TestHttpServer extends AsyncDisposable {
  readonly url: string;
  /** Breaks all connections and stops listening. */
  stop(): Promise<void>;
}

/** An HTTP server on a free loopback port: `await using server = await httpServer(listener)`. */
export async function httpServer(listener: RequestListener): Promise<TestHttpServer> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** What a POST carried; undefined for other requests. */
export async function readPosted(request: IncomingMessage): Promise<PostedMessages | undefined> {
  if (request.method !== 'POST') return undefined;
  const body = await new Promise<HttpBody>((take, fail) =>
    readHttpBody(request, 64 * 1024 * 1024, { onBody: take, onError: fail }),
  );
  if (!body.ok) throw new Error(body.refusal.message);
  return body.posted;
}

/** The body of a request, parsed; undefined where there is none. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body === undefined ? undefined : JSON.stringify(body));
}

/** Begins an event stream; what is written to the response afterwards are its events. */
export function beginEvents(response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  response.flushHeaders();
}
