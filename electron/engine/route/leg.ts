import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { ParamChanges, RawMessage } from '../rpc/raw-message.ts';
import type { Connection, SupervisedServer } from '../supervise/contract.ts';
import type { CallSignal, RouteRequest } from './contract.ts';
import { callTimedOut, cancelled } from './error-map.ts';

/** How long a server may take for a call. */
export interface CallLimit {
  /** As configured, in milliseconds. */
  readonly total: number;
  /** What is left of it for this attempt. */
  readonly left: number;
}

export interface LegOptions {
  readonly server: SupervisedServer;
  readonly connection: Connection;
  readonly request: RouteRequest;
  /** What the server is told in place of what the client said. */
  readonly changes: ParamChanges;
  readonly clock: Clock;
  /** None unless the config sets one. */
  readonly limit: CallLimit | undefined;
}

/**
 * Sends the request. When the client cancels, or the limit passes, the server is told at once by its own id of the
 * request, and a late answer is dropped. Disposed of when it is over. Throws where the client has cancelled already.
 */
export function startLeg(options: LegOptions): RunningLeg {
  if (options.request.signal.aborted) throw cancelled();
  return new RunningLeg(options);
}

/** An object rather than closures: there is one for each call. */
export class RunningLeg implements Disposable {
  readonly pending: PendingRequest<RawMessage>;
  readonly #options: LegOptions;
  readonly #timer: Disposable | undefined;

  constructor(options: LegOptions) {
    const { server, connection, request, changes, clock, limit } = options;
    this.#options = options;
    this.pending = connection.forward(request.message, changes);
    request.watcher?.sent(server, connection, this.pending.id);
    request.signal.addEventListener('abort', this);
    if (limit !== undefined) this.#timer = clock.after(limit.left, () => this.#tooLate(limit));
  }

  /** The client no longer waits. */
  handleEvent(): void {
    this.#giveUp(cancelled(), reasonOf(this.#options.request.signal));
  }

  /** The answer, untouched. */
  get answer(): Promise<RawMessage> {
    return this.pending.result;
  }

  dispose(): void {
    this.#options.request.signal.removeEventListener('abort', this);
    this.#timer?.dispose();
  }

  #tooLate({ total }: CallLimit): void {
    const { server, request } = this.#options;
    this.#giveUp(callTimedOut(server.key, request.message.method, total), 'Timed out');
  }

  #giveUp(error: Error, reason: string | undefined): void {
    if (!this.pending.abandon(error)) return;
    const params = { requestId: this.pending.id, ...(reason === undefined ? {} : { reason }) };
    // A connection that cannot carry the notice is ending, and the request with it.
    this.#options.connection.notify('notifications/cancelled', params, true).catch(() => undefined);
  }
}

/** The client's own words, where it gave some. */
function reasonOf({ reason }: CallSignal): string | undefined {
  return typeof reason === 'string' ? reason : undefined;
}
