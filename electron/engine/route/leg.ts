import type { Clock } from '../base/clock.ts';
import type { JsonRpcId } from '../rpc/message.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { Connection } from '../supervise/contract.ts';
import { callTimedOut, cancelled } from './error-map.ts';

/** One request on its way over one connection. */
export interface Leg {
  readonly serverKey: string;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** Milliseconds the server may take; no limit unless the config sets one. */
  readonly timeout?: number;
  readonly onSent?: (serverKey: string, id: JsonRpcId) => void;
}

/**
 * Sends the request and waits for its answer, untouched. When the client cancels, or the limit passes, the server is
 * told at once by its own id of the request, and a late answer is dropped.
 */
export async function runLeg(connection: Connection, leg: Leg): Promise<unknown> {
  const { serverKey, method, signal, clock, timeout } = leg;
  if (signal.aborted) throw cancelled();
  const pending = connection.request(method, leg.params);
  leg.onSent?.(serverKey, pending.id);
  const onAbort = () => giveUp(connection, pending, cancelled(), reasonOf(signal));
  signal.addEventListener('abort', onAbort, { once: true });
  const limit =
    timeout === undefined
      ? undefined
      : clock.after(timeout, () => {
          giveUp(connection, pending, callTimedOut(serverKey, method, timeout), 'Timed out');
        });
  try {
    return await pending.result;
  } finally {
    signal.removeEventListener('abort', onAbort);
    limit?.dispose();
  }
}

function giveUp(
  connection: Connection,
  pending: PendingRequest,
  error: Error,
  reason: string | undefined,
): void {
  const params = { requestId: pending.id, ...(reason === undefined ? {} : { reason }) };
  // A connection that cannot carry the notice is ending, and the request with it.
  connection.notify('notifications/cancelled', params).catch(() => undefined);
  pending.abandon(error);
}

/** The client's own words, where it gave some. */
function reasonOf({ reason }: AbortSignal): string | undefined {
  return typeof reason === 'string' ? reason : undefined;
}
