import type { Clock } from '../base/clock.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { ParamChanges, RawMessage, RawRequest } from '../rpc/raw-message.ts';
import type { Connection } from '../supervise/contract.ts';
import type { CallSignal } from './contract.ts';
import { callTimedOut, cancelled } from './error-map.ts';

/** One request on its way over one connection. */
export interface Leg {
  readonly serverKey: string;
  readonly message: RawRequest;
  /** What the server is told in place of what the client said. */
  readonly changes: ParamChanges;
  readonly signal: CallSignal;
  readonly clock: Clock;
  /** Milliseconds the server may take; no limit unless the config sets one. */
  readonly timeout: number | undefined;
  readonly onSent: ((serverKey: string, id: JsonRpcId) => void) | undefined;
}

/**
 * Sends the request and waits for its answer, untouched. When the client cancels, or the limit passes, the server is
 * told at once by its own id of the request, and a late answer is dropped.
 */
export function runLeg(connection: Connection, leg: Leg): Promise<RawMessage> {
  const { serverKey, message, signal, clock, timeout } = leg;
  if (signal.aborted) return Promise.reject(cancelled());
  const pending = connection.forward(message, leg.changes);
  leg.onSent?.(serverKey, pending.id);
  const onAbort = () => giveUp(connection, pending, cancelled(), reasonOf(signal));
  const onLimit = (limit: number) =>
    giveUp(connection, pending, callTimedOut(serverKey, message.method, limit), 'Timed out');
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = timeout === undefined ? undefined : clock.after(timeout, () => onLimit(timeout));
  const over = () => {
    signal.removeEventListener('abort', onAbort);
    timer?.dispose();
  };
  pending.result.then(over, over);
  return pending.result;
}

function giveUp(
  connection: Connection,
  pending: PendingRequest<unknown>,
  error: Error,
  reason: string | undefined,
): void {
  if (!pending.abandon(error)) return;
  const params = { requestId: pending.id, ...(reason === undefined ? {} : { reason }) };
  // A connection that cannot carry the notice is ending, and the request with it.
  connection.notify('notifications/cancelled', params, true).catch(() => undefined);
}

/** The client's own words, where it gave some. */
function reasonOf({ reason }: CallSignal): string | undefined {
  return typeof reason === 'string' ? reason : undefined;
}
