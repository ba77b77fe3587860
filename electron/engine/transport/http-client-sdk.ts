import { SSEClientTransport, SseError } from '@modelcontextprotocol/sdk/client/sse.js';
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { ProblemError } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import { ConnectionClosedError, type JsonRpcMessage } from '../rpc/message.ts';
import { createSseFetch, createStreamableFetch } from './http-client-fetch.ts';
import type { Fetch } from './http-connections.ts';
import type { Exchanges } from './http-exchanges.ts';
import { HttpStatusError, problemBehind, SessionGoneError, unreachable } from './http-problem.ts';
import { createStreamGuard } from './http-stream-guard.ts';

export type SdkTransport = StreamableHTTPClientTransport | SSEClientTransport;

/** What both of the SDK's transports are set up with. */
export interface SdkContext {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: Fetch;
  readonly clock: Clock;
  readonly exchanges: Exchanges;
  /** Aborts when the connection is no longer wanted. */
  readonly signal: AbortSignal;
  message(message: JsonRpcMessage): void;
  noise(error: Error): void;
  /** The connection has ended from the other side. */
  over(reason: ProblemError): void;
  acceptsErrorAnswers(): boolean;
}

/** Says nothing to the server yet: its first message will show whether it is there. */
export async function openStreamable(context: SdkContext): Promise<StreamableHTTPClientTransport> {
  const { url, clock, exchanges, fetch } = context;
  const sdk = new StreamableHTTPClientTransport(url, {
    requestInit: { headers: { ...context.headers } },
    fetch: createStreamableFetch({
      url,
      fetch,
      clock,
      exchanges,
      guard: createStreamGuard(clock),
      failed: () => {},
      acceptsErrorAnswers: context.acceptsErrorAnswers,
      sessionGone: () => context.over(new SessionGoneError(url)),
    }),
    reconnectionOptions: {
      initialReconnectionDelay: 1000,
      maxReconnectionDelay: 30_000,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 6,
    },
  });
  listen(sdk, context);
  sdk.onerror = context.noise;
  await sdk.start();
  return sdk;
}

/** Resolves when the server has named the address to post to; rejects with ProblemError, or the signal's reason. */
export async function openSse(context: SdkContext): Promise<SSEClientTransport> {
  const { url, signal } = context;
  const failures: Error[] = [];
  const sdk = new SSEClientTransport(url, {
    requestInit: { headers: { ...context.headers } },
    fetch: createSseFetch({ url, fetch: context.fetch, failed: (error) => failures.push(error) }),
  });
  listen(sdk, context);
  sdk.onerror = () => {};
  try {
    await Promise.race([sdk.start(), rejectedBy(signal)]);
  } catch (error) {
    await sdk.close();
    throw signal.aborted ? error : problemBehind(url, failures[0] ?? error);
  }
  sdk.onerror = (error) => {
    // The SDK would open the stream again, but that is another session, which was never initialized.
    if (error instanceof SseError) context.over(unreachable(url, 'The server ended the stream.', {}));
    else context.noise(error);
  };
  return sdk;
}

/** What became of a message that an SDK transport could not send. */
export function toFailure(url: URL, error: unknown): ConnectionClosedError {
  if (error instanceof ConnectionClosedError) return error;
  // What the fetch of ours let through and the SDK refused: redirects to elsewhere.
  if (error instanceof StreamableHTTPError && error.code !== undefined && error.code > 0) {
    return new HttpStatusError(url, error.code);
  }
  const cause = problemBehind(url, error);
  return new ConnectionClosedError(cause.message, true, { cause });
}

function listen(sdk: SdkTransport, context: SdkContext): void {
  // The SDK has checked the message; its type differs from ours only in naming optional members.
  sdk.onmessage = (message) => context.message(message as JsonRpcMessage);
}

function rejectedBy(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
