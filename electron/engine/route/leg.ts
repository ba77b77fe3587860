import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { ParamChanges, RawMessage, RawRequest } from '../rpc/raw-message.ts';
import type { Connection, SupervisedServer } from '../supervise/contract.ts';
import type { CallSignal, RouteRequest } from './contract.ts';
import { callTimedOut, cancelled } from './error-map.ts';

/** One request on its way over one connection. */
export interface Leg {
  readonly server: SupervisedServer;
  readonly message: RawRequest;
  /** What the server is told in place of what the client said. */
  readonly changes: ParamChanges;
  readonly signal: CallSignal;
  readonly clock: Clock;
  /** Milliseconds the server may take; no limit unless the config sets one. */
  readonly timeout: number | undefined;
  readonly onSent: RouteRequest['onSent'];
}

/**
 * Sends the request. When the client cancels, or the limit passes, the server is told at once by its own id of the
 * request, and a late answer is dropped. Disposed of when it is over. Throws where the client has cancelled already.
 */
export function startLeg(connection: Connection, leg: Leg): RunningLeg {
  if (leg.signal.aborted) throw cancelled();
  return new RunningLeg(connection, leg);
}

/** An object rather than closures: there is one for each call. */
class RunningLeg implements Disposable {
  readonly pending: PendingRequest<RawMessage>;
  readonly #connection: Connection;
  readonly #leg: Leg;
  readonly #limit: Disposable | undefined;

  constructor(connection: Connection, leg: Leg) {
    const { server, message, changes, signal, clock, timeout, onSent } = leg;
    this.#connection = connection;
    this.#leg = leg;
    this.pending = connection.forward(message, changes);
    onSent?.(server, connection, this.pending.id);
    signal.addEventListener('abort', this);
    if (timeout !== undefined) this.#limit = clock.after(timeout, () => this.#tooLate(timeout));
  }

  /** The client no longer waits. */
  handleEvent(): void {
    this.#giveUp(cancelled(), reasonOf(this.#leg.signal));
  }

  /** The answer, untouched. */
  get answer(): Promise<RawMessage> {
    return this.pending.result;
  }

  dispose(): void {
    this.#leg.signal.removeEventListener('abort', this);
    this.#limit?.dispose();
  }

  #tooLate(timeout: number): void {
    const { server, message } = this.#leg;
    this.#giveUp(callTimedOut(server.key, message.method, timeout), 'Timed out');
  }

  #giveUp(error: Error, reason: string | undefined): void {
    if (!this.pending.abandon(error)) return;
    const params = { requestId: this.pending.id, ...(reason === undefined ? {} : { reason }) };
    // A connection that cannot carry the notice is ending, and the request with it.
    this.#connection.notify('notifications/cancelled', params, true).catch(() => undefined);
  }
}

/** The client's own words, where it gave some. */
function reasonOf({ reason }: CallSignal): string | undefined {
  return typeof reason === 'string' ? reason : undefined;
}
