import type { Session } from '../gateway/session-contract.ts';
import type { CallRecord } from '../route/contract.ts';
import type { RpcError } from '../rpc/message.ts';
import type { CallEvents } from './invoke/call-feed.ts';

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
