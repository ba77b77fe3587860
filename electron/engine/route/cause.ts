import type { JsonRpcId } from '../rpc/message.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import type { Connection } from '../supervise/contract.ts';
import type { Cause } from './flights.ts';
import type { Ledgers } from './ledgers.ts';
import { relatedTask, retold } from './tasks.ts';

/** Origin of a server's message. */
export interface Origin {
  readonly key: string;
  /** Absent before the handshake. */
  readonly connection?: Connection;
  /** The id of our request on whose own stream it came. */
  readonly relatedTo?: JsonRpcId;
}

/** The session whose call or task caused a server's message, and the message with that session's task id. */
export interface Caused {
  readonly cause: Cause;
  readonly message: RawMessage;
}

export function causeOf(
  { clients, flights, tasks, users }: Ledgers,
  { key: serverKey, connection, relatedTo }: Origin,
  message: RawMessage,
): Caused {
  const found = flights.causeOf(connection, relatedTo);
  const only = found.kind === 'none' && clients === 'one' ? users.onlyOne(serverKey) : undefined;
  const cause: Cause = only === undefined ? found : { kind: 'certain', caller: only };
  const task = tasks.ownerOf(serverKey, relatedTask(message.params));
  if (task === undefined) return { cause, message };
  // Any call of the task's session may carry the message, but no other call.
  const isTheirs = cause.kind === 'certain' && cause.caller === task.caller;
  return {
    cause: isTheirs ? cause : { kind: 'certain', caller: task.caller },
    message: retold(message, task.taskId, task.told),
  };
}
