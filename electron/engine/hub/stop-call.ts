import type { Session } from '../gateway/session/session-contract.ts';
import type { RpcError } from '../jsonrpc/message.ts';
import type { CallEvents } from '../routing/call-events.ts';
import type { CallRecord } from '../routing/contract.ts';

export interface CallOwners {
  readonly sessions: { find(id: string): Pick<Session, 'stopCall'> | undefined };
  readonly feed: Pick<CallEvents, 'stop'>;
}

/** Ends an active call, made by a client or over REST; false if it has already ended. */
export function stopCall(
  { sessions, feed }: CallOwners,
  { sessionId, request }: CallRecord,
  reason: RpcError,
): boolean {
  return sessions.find(sessionId)?.stopCall(request, reason) ?? feed.stop(request, reason);
}
