import type { Session } from '../gateway/session-contract.ts';
import type { CallRecord } from '../route/contract.ts';
import type { RpcError } from '../rpc/message.ts';
import type { CallFeed } from './invoke/call-feed.ts';

export interface CallOwners {
  readonly sessions: { find(id: string): Pick<Session, 'stopCall'> | undefined };
  readonly feed: Pick<CallFeed, 'stop'>;
}

/** Ends an active call, made by a client or over REST; false if it has already ended. */
export function stopCall(
  { sessions, feed }: CallOwners,
  { sessionId, request }: CallRecord,
  why: RpcError,
): boolean {
  return sessions.find(sessionId)?.stopCall(request, why) ?? feed.stop(request, why);
}
