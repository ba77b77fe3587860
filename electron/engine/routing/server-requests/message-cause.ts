import type { JsonRpcId } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import type { Connection } from '../../servers/contract.ts';
import type { Cause } from './call-causes.ts';
import type { SessionIndex } from './session-index.ts';
import { relatedTask, replaceTaskId } from './task-index.ts';

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
  { clients, causes, tasks, serverUsers }: SessionIndex,
  { key: serverKey, connection, relatedTo }: MessageOrigin,
  message: RawMessage,
): AttributedMessage {
  const found = causes.causeOf(connection, relatedTo);
  const only = found.kind === 'none' && clients === 'one' ? serverUsers.onlySession(serverKey) : undefined;
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
