import { RpcError } from '../rpc/message.ts';
import type { Caller } from './backchannel-contract.ts';
import { noSession, type RouteRequest, type Router } from './contract.ts';
import type { Flight } from './flights.ts';
import type { Ledgers } from './ledgers.ts';

/** The router for one session: its calls are remembered while they are under way. */
export function trackCalls(ledgers: Ledgers, caller: Caller, router: Router): Router {
  const { flights, users, elicitations, instances } = ledgers;
  return {
    async forward(request) {
      let flight: Flight | undefined;
      let sentTo = '';
      const onSent: RouteRequest['onSent'] = ({ key, sessionId: owner }, connection, id) => {
        // Where sessions have their own, the one that is asked for none of them is nobody's.
        if (request.sessionId === noSession && instances.isolates(key)) return;
        // Sent once more, or elsewhere: who had it before may still be at work on it.
        flight?.abandoned();
        flight = flights.begin(connection, id, caller, request.requestId);
        sentTo = key;
        if (owner === undefined) users.used(key, caller);
      };
      try {
        const { sessionId, message, view, signal, onProgress, keepProgress, serverKey, requestId } = request;
        const result = await router.forward({
          sessionId,
          message,
          view,
          signal,
          onProgress,
          keepProgress,
          serverKey,
          requestId,
          onSent,
        });
        flight?.landed();
        return result;
      } catch (error) {
        if (request.signal.aborted || isTimeout(error)) flight?.abandoned();
        else flight?.landed();
        elicitations.demanded(sentTo, error, caller);
        throw error;
      }
    },
  };
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof RpcError) || typeof error.data !== 'object' || error.data === null) return false;
  return 'code' in error.data && error.data.code === 'call.timeout';
}
