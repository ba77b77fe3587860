import { type Clock, delay } from '../base/clock.ts';
import { ConnectionClosedError, type JsonRpcFailure, type JsonRpcId } from '../rpc/message.ts';
import { messageKind } from '../rpc/message-kind.ts';
import type { Fetch } from './http-connections.ts';
import { type Exchanges, watchStream } from './http-exchanges.ts';
import { HttpStatusError, networkError } from './http-problem.ts';
import type { StreamGuard } from './http-stream-guard.ts';
import { identifyMessage } from './identify-message.ts';

export interface FetchContext {
  readonly url: URL;
  readonly fetch: Fetch;
  /** Told of each failure before it is thrown: an EventSource keeps only its text. */
  failed(error: Error): void;
}

/** For the SSE transport: what is no success is thrown as HttpStatusError or ConnectionClosedError. */
export function createSseFetch(context: FetchContext): Fetch {
  return async (url, init) => {
    const response = await attempt(context, url, init);
    if (response.ok || isRedirect(response)) return response;
    await response.body?.cancel();
    throw report(context, new HttpStatusError(context.url, response.status));
  };
}

export interface StreamableContext extends FetchContext {
  readonly clock: Clock;
  readonly guard: StreamGuard;
  readonly exchanges: Exchanges;
  /** Whether an HTTP error with a JSON-RPC error in its body is an answer (else it may mean another transport). */
  acceptsErrorAnswers(): boolean;
  /** The server no longer knows the session. */
  sessionGone(): void;
}

/** For the Streamable HTTP transport: keeps its streams within bounds and sees to it that every request has an outcome. */
export function createStreamableFetch(context: StreamableContext): Fetch {
  return (url, init) => {
    if (init?.method === 'POST') return post(context, url, init);
    if (init?.method === 'GET') return openStream(context, url, init);
    return attempt(context, url, init);
  };
}

async function post(context: StreamableContext, url: string | URL, init: RequestInit): Promise<Response> {
  const response = await attempt(context, url, init);
  if (isRedirect(response)) return response;
  const id = requestId(init.body);
  if (!response.ok) return refuse(context, response, id);
  // 202 is no answer: a server that accepts a request this way can only answer on the session's own stream.
  if (id === undefined || response.body === null || response.status === 202) return response;
  return withBody(response, context.exchanges.follow(id, response.body));
}

async function refuse(
  context: StreamableContext,
  response: Response,
  id: JsonRpcId | undefined,
): Promise<Response> {
  const answer = id === undefined ? undefined : errorAnswer(await response.text().catch(() => ''), id);
  await response.body?.cancel().catch(() => {});
  if (answer !== undefined && context.acceptsErrorAnswers() && response.status !== 404)
    return Response.json(answer);
  throw report(context, new HttpStatusError(context.url, response.status, answer));
}

/** Opens the session's own stream, or takes up the stream of a request again. */
async function openStream(
  context: StreamableContext,
  url: string | URL,
  init: RequestInit,
): Promise<Response> {
  const token = new Headers(init.headers).get('last-event-id');
  const owner = token === null ? undefined : context.exchanges.owner(token);
  if (owner === 'over') return noStream();
  if (owner !== undefined) return resume(context, owner.id, url, init);
  if (!(await context.guard.admit(init.signal ?? undefined))) return noStream();
  const response = await attempt(context, url, init);
  if (isRedirect(response)) return response;
  if (response.ok && response.body !== null) {
    return withBody(response, watchStream(response.body, context.guard.opened()).stream);
  }
  await response.body?.cancel();
  if (response.status === 404 && context.guard.granted) {
    context.sessionGone();
  }
  return noStream();
}

/** Milliseconds before each try; the first is a pause for servers that ask to be returned to at once, each time. */
const RESUME_WAITS = [250, 1000, 4000];

async function resume(
  context: StreamableContext,
  id: JsonRpcId,
  url: string | URL,
  init: RequestInit,
): Promise<Response> {
  for (const wait of RESUME_WAITS) {
    await delay(context.clock, wait, init.signal ?? undefined);
    const response = await attempt(context, url, init).catch(() => undefined);
    if (response?.ok || (response && isRedirect(response))) return response;
    await response?.body?.cancel();
    if (response !== undefined || !context.exchanges.has(id)) break;
  }
  context.exchanges.lose(id);
  return noStream();
}

async function attempt(context: FetchContext, url: string | URL, init?: RequestInit): Promise<Response> {
  try {
    return await context.fetch(url, init);
  } catch (error) {
    if (init?.signal?.aborted) throw error;
    throw report(context, error instanceof ConnectionClosedError ? error : networkError(context.url, error));
  }
}

function report<E extends Error>(context: FetchContext, error: E): E {
  context.failed(error);
  return error;
}

/** The answer that makes the SDK do without a stream. */
function noStream(): Response {
  return new Response(null, { status: 405 });
}

function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  return new Response(body, { status: response.status, headers: new Headers([...response.headers]) });
}

/** What the SDK posts was written by itself a moment ago; its ends tell the id without parsing it all again. */
function requestId(body: RequestInit['body']): JsonRpcId | undefined {
  if (typeof body !== 'string') return undefined;
  const found = identifyMessage(body.slice(0, 512), body.slice(-512));
  return found?.kind === 'request' ? found.id : undefined;
}

function errorAnswer(body: string, id: JsonRpcId): JsonRpcFailure | undefined {
  try {
    const value: unknown = JSON.parse(body);
    // The kind has been checked; an HTTP error often carries no id, and belongs to the one request that was posted.
    return messageKind(value) === 'failure' ? { ...(value as JsonRpcFailure), id } : undefined;
  } catch {
    return undefined;
  }
}

function isRedirect(response: Response): boolean {
  return response.status >= 300 && response.status < 400;
}
