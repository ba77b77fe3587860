import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { NamedItem } from '../../catalogue/contract.ts';
import { memberSpans } from '../../jsonrpc/json/json-spans.ts';
import { RpcError } from '../../jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../../jsonrpc/raw-message.ts';
import type { Router } from '../../routing/router.ts';
import type { ServerRequests } from '../../routing/server-requests/server-requests.ts';
import type { Invocation, InvocationAnswer, InvocationFailure } from '../contract.ts';
import { InvocationRefused } from '../invocation-refused.ts';
import type { ApiNames } from './api-names.ts';
import { ApiSessions, apiSession } from './api-sessions.ts';
import { callRequest } from './call-request.ts';

export interface InvokerOptions {
  readonly serverRequests: ServerRequests;
  readonly router: Router;
  /** See ApiSessionsOptions. */
  readonly grants: { open(sessionId: string, identityId: string): Disposable };
  readonly names: ApiNames;
  readonly clock: Clock;
  readonly version: string;
  readonly nameOf: (identityId: string) => string;
  /** Milliseconds that a server may take; undefined if its own limit applies. */
  readonly timeoutOf: (serverKey: string) => number | undefined;
}

/** State of a running call. */
interface Progress {
  attempts: number;
  /** Time of the last attempt, and its server. */
  sentAt: number | undefined;
  serverKey: string;
  timer: Disposable | undefined;
  isLate: boolean;
}

/** Makes calls over REST through the router that clients use, in a session of the identity. */
export class Invoker implements Disposable {
  readonly #options: InvokerOptions;
  readonly #sessions: ApiSessions;
  #lastId = 0;

  constructor(options: InvokerOptions) {
    this.#options = options;
    this.#sessions = new ApiSessions(options);
  }

  /** Rejects with InvocationRefused. */
  async invoke(call: Invocation): Promise<InvocationAnswer> {
    const { names, clock } = this.#options;
    const lookup = names.find(call.serverKey, call.tool);
    if (lookup.kind === 'unknown') throw new InvocationRefused(unknown(call));
    this.#lastId += 1;
    const { target } = lookup;
    const request = callRequest(target.wireName, call.argumentsText, this.#lastId, call);
    const startedAt = clock.uptime();
    const progress: Progress = {
      attempts: 0,
      sentAt: undefined,
      serverKey: call.serverKey,
      timer: undefined,
      isLate: false,
    };
    try {
      const answer = await this.#send(call, target, request, progress);
      const endedAt = clock.uptime();
      return {
        answer,
        attempts: progress.attempts,
        milliseconds: endedAt - startedAt,
        executionMs: progress.sentAt === undefined ? 0 : endedAt - progress.sentAt,
        serverKey: progress.serverKey,
      };
    } catch (error) {
      throw new InvocationRefused(failureOf(error, call, progress, clock.uptime() - startedAt));
    }
  }

  dispose(): void {
    this.#sessions.dispose();
  }

  async #send(
    call: Invocation,
    target: NamedItem,
    message: RawRequest,
    progress: Progress,
  ): Promise<RawMessage> {
    const { identityId } = call;
    const session = this.#sessions.enter(identityId, this.#options.nameOf(identityId));
    const ending = new AbortController();
    const onAbort = () => ending.abort('The caller has disconnected.');
    call.signal.addEventListener('abort', onAbort, { once: true });
    if (call.signal.aborted) onAbort();
    try {
      return await this.#options.router.call({
        sessionId: apiSession(identityId),
        caller: session.caller,
        message,
        view: this.#options.names.of(target),
        signal: ending.signal,
        onProgress: () => {},
        onSent: (serverKey) => this.#sent(progress, serverKey, ending),
        requestId: message.id,
        correlationId: call.correlationId,
      });
    } finally {
      call.signal.removeEventListener('abort', onAbort);
      progress.timer?.dispose();
      session.dispose();
    }
  }

  /** Starts the timeout with the first attempt: earlier steps, such as an approval, have their own limits. */
  #sent(progress: Progress, serverKey: string, ending: AbortController): void {
    const { clock, timeoutOf } = this.#options;
    progress.attempts += 1;
    progress.sentAt = clock.uptime();
    progress.serverKey = serverKey;
    const limit = progress.timer === undefined ? timeoutOf(serverKey) : undefined;
    if (limit === undefined) return;
    progress.timer = clock.after(limit, () => {
      progress.isLate = true;
      ending.abort(`The call took longer than ${limit} ms.`);
    });
  }
}

function unknown({ serverKey, tool }: Invocation): InvocationFailure {
  const message = `Tool not found: ${serverKey}:${tool}`;
  return { code: 'call.unknown_tool', message, attempts: 0, milliseconds: 0 };
}

function failureOf(
  error: unknown,
  { serverKey, tool }: Invocation,
  { attempts, isLate }: Progress,
  milliseconds: number,
): InvocationFailure {
  const facts = { attempts, milliseconds };
  if (isLate) {
    const message = `${serverKey}:${tool} did not answer in time and was asked to stop.`;
    return { code: 'call.timeout', message, fix: 'Raise MCP_INVOCATION_TIMEOUT_MS.', ...facts };
  }
  if (!(error instanceof RpcError)) {
    return { code: 'internal', message: error instanceof Error ? error.message : String(error), ...facts };
  }
  const wire = wireError(error);
  if (wire !== undefined) return { code: 'tool_error', message: error.message, wire, ...facts };
  const { code, fix, retryAfter } = (error.data ?? {}) as Readonly<Record<string, unknown>>;
  return {
    code: typeof code === 'string' ? code : 'call_failed',
    message: error.message,
    ...(typeof fix === 'string' ? { fix } : {}),
    ...(typeof retryAfter === 'number' ? { retryAfter } : {}),
    ...facts,
  };
}

/** Returns the server's own error, byte for byte. */
function wireError({ received: wire }: RpcError): string | undefined {
  const line = wire?.line();
  const span = line && memberSpans(line, 'error').at(-1);
  return line && span && line.toString('utf8', span.start, span.end);
}
