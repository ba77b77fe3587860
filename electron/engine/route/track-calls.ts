import type { JsonRpcId, RpcError } from '../rpc/message.ts';
import type { Connection, SupervisedServer } from '../supervise/contract.ts';
import type { Caller } from './backchannel-contract.ts';
import { type CallWatcher, hubSessionId, type RouteRequest, type Router } from './contract.ts';
import type { CallInProgress } from './flights.ts';
import type { SessionIndex } from './ledgers.ts';

/** Wraps the router for one session and records its calls in progress. */
export function trackCalls(sessionIndex: SessionIndex, caller: Caller, router: Router): Router {
  return {
    forward(request) {
      const {
        sessionId,
        message,
        view,
        signal,
        onProgress,
        keepProgress,
        serverKey,
        requestId,
        connectBy: reachBy,
      } = request;
      const watcher = new TrackedCall(sessionIndex, caller, request);
      // Listed by name because spreading takes several times as long.
      return router.forward({
        sessionId,
        message,
        view,
        signal,
        onProgress,
        keepProgress,
        connectBy: reachBy,
        serverKey,
        requestId,
        watcher,
      });
    },
  };
}

class TrackedCall implements CallWatcher {
  readonly #sessionIndex: SessionIndex;
  readonly #caller: Caller;
  readonly #request: RouteRequest;
  #activeCall: CallInProgress | undefined;
  #sentTo = '';

  constructor(sessionIndex: SessionIndex, caller: Caller, request: RouteRequest) {
    this.#sessionIndex = sessionIndex;
    this.#caller = caller;
    this.#request = request;
  }

  reached({ id }: SupervisedServer, connection: Connection): Promise<void> | undefined {
    if (this.#caller.initializeParams()?.capabilities.roots === undefined) return undefined;
    return this.#sessionIndex.earlyRequests.whenSettled(id, connection);
  }

  sent({ key, sessionId: owner }: SupervisedServer, connection: Connection, id: JsonRpcId): void {
    const { activeCalls: flights, serverUsers: users, instances } = this.#sessionIndex;
    const { sessionId, requestId } = this.#request;
    // A request without a session uses none of the per-session instances.
    if (sessionId === hubSessionId && instances.isolates(key)) return;
    // This is a retry, so the previous server may still be processing the call.
    this.#activeCall?.abandoned();
    this.#activeCall = flights.begin(connection, id, this.#caller, requestId);
    this.#sentTo = key;
    if (owner === undefined) users.markUsed(key, this.#caller);
  }

  ended(error?: RpcError): void {
    const isAbandoned = error !== undefined && (this.#request.signal.aborted || isTimeout(error));
    if (isAbandoned) this.#activeCall?.abandoned();
    else this.#activeCall?.completed();
    if (error !== undefined)
      this.#sessionIndex.elicitations.onRequiredError(this.#sentTo, error, this.#caller);
  }
}

function isTimeout(error: RpcError): boolean {
  if (typeof error.data !== 'object' || error.data === null) return false;
  return 'code' in error.data && error.data.code === 'call.timeout';
}
