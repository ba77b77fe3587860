import type { JsonRpcId } from '../rpc/message.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import type { Connection } from '../supervise/contract.ts';
import type { Cause } from './flights.ts';
import type { SessionIndex } from './ledgers.ts';
import { relatedTask, replaceTaskId } from './tasks.ts';

/** Origin of a server's message. */
export interface MessageOrigin {
  readonly key: string;
  /** Absent before the handshake. */
  readonly connection?: Connection;
  /** The id of our request on whose own stream it came. */
  readonly relatedTo?: JsonRpcId;
}

/** The session whose call or task caused a server's message, and the message with that session's task id. */
export interface AttributedMessage {
  readonly cause: Cause;
  readonly message: RawMessage;
}

export function attribute(
  { clients, activeCalls: flights, tasks, serverUsers: users }: SessionIndex,
  { key: serverKey, connection, relatedTo }: MessageOrigin,
  message: RawMessage,
): AttributedMessage {
  const found = flights.causeOf(connection, relatedTo);
  const only = found.kind === 'none' && clients === 'one' ? users.onlySession(serverKey) : undefined;
  const cause: Cause = only === undefined ? found : { kind: 'certain', caller: only };
  const task = tasks.ownerOf(serverKey, relatedTask(message.params));
  if (task === undefined) return { cause, message };
  // Any call of the task's session may carry the message, but no other call.
  const isSameSession = cause.kind === 'certain' && cause.caller === task.caller;
  return {
    cause: isSameSession ? cause : { kind: 'certain', caller: task.caller },
    message: replaceTaskId(message, task.taskId, task.clientTaskId),
  };
}
