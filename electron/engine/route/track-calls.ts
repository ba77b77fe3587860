import type { JsonRpcId, RpcError } from '../rpc/message.ts';
import type { Connection, SupervisedServer } from '../supervise/contract.ts';
import type { Caller } from './backchannel-contract.ts';
import { type CallWatcher, noSession, type RouteRequest, type Router } from './contract.ts';
import type { Flight } from './flights.ts';
import type { Ledgers } from './ledgers.ts';

/** Wraps the router for one session and records its calls in progress. */
export function trackCalls(ledgers: Ledgers, caller: Caller, router: Router): Router {
  return {
    forward(request) {
      const { sessionId, message, view, signal, onProgress, keepProgress, serverKey, requestId, reachBy } =
        request;
      const watcher = new TrackedCall(ledgers, caller, request);
      // Listed by name because spreading takes several times as long.
      return router.forward({
        sessionId,
        message,
        view,
        signal,
        onProgress,
        keepProgress,
        reachBy,
        serverKey,
        requestId,
        watcher,
      });
    },
  };
}

class TrackedCall implements CallWatcher {
  readonly #ledgers: Ledgers;
  readonly #caller: Caller;
  readonly #request: RouteRequest;
  #flight: Flight | undefined;
  #sentTo = '';

  constructor(ledgers: Ledgers, caller: Caller, request: RouteRequest) {
    this.#ledgers = ledgers;
    this.#caller = caller;
    this.#request = request;
  }

  reached({ id }: SupervisedServer, connection: Connection): Promise<void> | undefined {
    if (this.#caller.introduction()?.capabilities.roots === undefined) return undefined;
    return this.#ledgers.arrivals.settled(id, connection);
  }

  sent({ key, sessionId: owner }: SupervisedServer, connection: Connection, id: JsonRpcId): void {
    const { flights, users, instances } = this.#ledgers;
    const { sessionId, requestId } = this.#request;
    // A request without a session uses none of the per-session instances.
    if (sessionId === noSession && instances.isolates(key)) return;
    // This is a retry, so the previous server may still be processing the call.
    this.#flight?.abandoned();
    this.#flight = flights.begin(connection, id, this.#caller, requestId);
    this.#sentTo = key;
    if (owner === undefined) users.used(key, this.#caller);
  }

  over(error?: RpcError): void {
    const isLeft = error !== undefined && (this.#request.signal.aborted || isTimeout(error));
    if (isLeft) this.#flight?.abandoned();
    else this.#flight?.landed();
    if (error !== undefined) this.#ledgers.elicitations.demanded(this.#sentTo, error, this.#caller);
  }
}

function isTimeout(error: RpcError): boolean {
  if (typeof error.data !== 'object' || error.data === null) return false;
  return 'code' in error.data && error.data.code === 'call.timeout';
}
