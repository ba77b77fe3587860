import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { ParamChanges, RawMessage } from '../rpc/raw-message.ts';
import type { Connection, SupervisedServer } from '../supervise/contract.ts';
import type { CallSignal, RouteRequest } from './contract.ts';
import { callTimedOut, cancelled } from './error-map.ts';

/** Time limit of a call. */
export interface CallLimit {
  /** The configured limit in milliseconds. */
  readonly totalMs: number;
  /** Milliseconds left for this attempt. */
  readonly leftMs: number;
}

export interface UpstreamRequestOptions {
  readonly server: SupervisedServer;
  readonly connection: Connection;
  readonly request: RouteRequest;
  /** Replacements in the client's params. */
  readonly changes: ParamChanges;
  readonly clock: Clock;
  /** Set only if configured. */
  readonly limit: CallLimit | undefined;
}

/**
 * Sends the request. If the client cancels or the limit passes, the server is sent a cancellation at once and
 * a late response is dropped. Disposed when the request is over. Throws if the client has already cancelled.
 */
export function startUpstreamRequest(options: UpstreamRequestOptions): UpstreamRequest {
  if (options.request.signal.aborted) throw cancelled();
  return new UpstreamRequest(options);
}

/** An upstream request in progress. An object rather than closures because one is created for each call. */
export class UpstreamRequest implements Disposable {
  readonly pending: PendingRequest<RawMessage>;
  readonly #options: UpstreamRequestOptions;
  readonly #timer: Disposable | undefined;

  constructor(options: UpstreamRequestOptions) {
    const { server, connection, request, changes, clock, limit } = options;
    this.#options = options;
    this.pending = connection.forward(request.message, changes);
    request.watcher?.sent(server, connection, this.pending.id);
    request.signal.addEventListener('abort', this);
    if (limit !== undefined) this.#timer = clock.after(limit.leftMs, () => this.#timeOut(limit));
  }

  /** Called by the abort signal when the client no longer waits. */
  handleEvent(): void {
    this.#cancel(cancelled(), reasonOf(this.#options.request.signal));
  }

  /** The unchanged response. */
  get answer(): Promise<RawMessage> {
    return this.pending.result;
  }

  dispose(): void {
    this.#options.request.signal.removeEventListener('abort', this);
    this.#timer?.dispose();
  }

  #timeOut({ totalMs: total }: CallLimit): void {
    const { server, request } = this.#options;
    this.#cancel(callTimedOut(server.key, request.message.method, total), 'Timed out');
  }

  #cancel(error: Error, reason: string | undefined): void {
    if (!this.pending.abandon(error)) return;
    const params = { requestId: this.pending.id, ...(reason === undefined ? {} : { reason }) };
    // If the cancellation cannot be sent, the connection is ending, and the request with it.
    this.#options.connection.notify('notifications/cancelled', params, true).catch(() => undefined);
  }
}

/** Returns the client's own reason, if it gave one. */
function reasonOf({ reason }: CallSignal): string | undefined {
  return typeof reason === 'string' ? reason : undefined;
}
