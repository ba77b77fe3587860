import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { PendingRequest } from '../jsonrpc/peer-contract.ts';
import type { ParamChanges, RawMessage } from '../jsonrpc/raw-message.ts';
import type { Connection, SupervisedServer } from '../servers/contract.ts';
import type { ActiveCall } from './active-calls.ts';
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
  readonly call: ActiveCall;
  /** Replacements in the client's params. */
  readonly changes: ParamChanges;
  readonly clock: Clock;
  /** Set only if configured. */
  readonly limit: CallLimit | undefined;
}

/**
 * One attempt at a call. If the call is aborted or the limit passes, the server is sent a cancellation at once
 * and a late response is dropped. Disposed when the request is over. The constructor throws if the call has
 * been aborted already.
 */
export class UpstreamRequest implements Disposable {
  readonly pending: PendingRequest<RawMessage>;
  readonly #options: UpstreamRequestOptions;
  readonly #timer: Disposable | undefined;

  constructor(options: UpstreamRequestOptions) {
    const { connection, call, changes, clock, limit } = options;
    if (call.aborted) throw cancelled();
    this.#options = options;
    this.pending = connection.forward(call.request, changes, call.asked.caller);
    call.attempt = this;
    if (limit !== undefined) this.#timer = clock.after(limit.leftMs, () => this.#timeOut(limit));
  }

  /** The unchanged response. */
  get answer(): Promise<RawMessage> {
    return this.pending.result;
  }

  /** Ends the request for a client that no longer waits; `reason` is passed on if it is a text. */
  cancel(reason: unknown): void {
    this.#end(cancelled(), typeof reason === 'string' ? reason : undefined);
  }

  dispose(): void {
    this.#timer?.dispose();
    if (this.#options.call.attempt === this) this.#options.call.attempt = undefined;
  }

  #timeOut({ totalMs: total }: CallLimit): void {
    const { server, call } = this.#options;
    this.#end(callTimedOut(server.key, call.method, total), 'Timed out');
  }

  #end(error: Error, reason: string | undefined): void {
    if (!this.pending.abandon(error)) return;
    const params = { requestId: this.pending.id, ...(reason === undefined ? {} : { reason }) };
    // If the cancellation cannot be sent, the connection is ending, and the request with it.
    this.#options.connection.notify('notifications/cancelled', params, true).catch(() => undefined);
  }
}
