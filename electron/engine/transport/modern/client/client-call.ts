import type { Disposable } from '../../../base/emitter.ts';
import {
  ConnectionClosedError,
  type JsonRpcErrorObject,
  RpcError,
  rpcErrorCodes,
} from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { toErrorResponse, toResponse } from '../../../jsonrpc/response.ts';
import type { Envelope } from '../envelope.ts';
import type { MissingCapabilities } from '../question-capability.ts';
import type { ClientChannel } from './client-channel.ts';
import type { Question } from './client-question.ts';

/** One call of a stateless client over all its rounds. */
export interface Call {
  readonly method: string;
  /** Id in the session. */
  innerId: number;
  /** Set while the client waits for an answer; otherwise the call is parked. */
  waiting: Waiting | undefined;
  envelope: Envelope;
  round: number;
  /** Number of keys that were made up for its questions. */
  keys: number;
  questions: Question[];
  missing: MissingCapabilities | undefined;
  parked: Parked | undefined;
  batch: Disposable | undefined;
  /** The server's `requestState`, as JSON; continues a call whose server went away between two rounds. */
  continuation: string | undefined;
}

/** A request of a client that waits for its answer. */
export interface Waiting {
  readonly request: RawMessage;
  readonly channel: ClientChannel;
}

export interface Parked {
  /** Uptime at which it was parked. */
  readonly since: number;
  /** The answer, if it came while the client was away. */
  outcome: RawMessage | undefined;
}

/** Answers the client; an answer that cannot be written becomes an error. */
export function sendResult({ request, channel }: Waiting, result: unknown): void {
  const fail = (error: unknown) => {
    if (!(error instanceof ConnectionClosedError)) sendError({ request, channel }, unwritable);
  };
  try {
    channel.send(toResponse(request, result)).catch(fail);
  } catch (error) {
    fail(error);
  }
}

/** `received` is the message that carried the error, if any; it is forwarded as it is. */
export function sendError(
  { request, channel }: Waiting,
  error: JsonRpcErrorObject,
  received?: RawMessage,
): void {
  channel.send(toErrorResponse(request, new RpcError(error, received))).catch(() => {});
}

/** Answers a call with an error, if the client waits for it. */
export function endWithError(call: Call, error: JsonRpcErrorObject): void {
  const { waiting } = call;
  call.waiting = undefined;
  if (waiting !== undefined) sendError(waiting, error);
}

const unwritable = { code: rpcErrorCodes.internalError, message: 'The result cannot be written as JSON' };
