import { errorResponseTo } from '../engine/jsonrpc/invalid-messages.ts';
import {
  type JsonRpcErrorObject,
  type JsonRpcNotification,
  RpcError,
  rpcErrorCodes,
} from '../engine/jsonrpc/message.ts';
import type { UncheckedEnvelope } from '../engine/jsonrpc/message-kind.ts';
import type { RawRequest } from '../engine/jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../engine/jsonrpc/read-message.ts';
import type { Transport } from '../engine/jsonrpc/transport.ts';

export function notification(method: string): JsonRpcNotification {
  return { jsonrpc: '2.0', method };
}

/** Returns the client's name from `initialize`. */
export function clientName(params: Readonly<Record<string, unknown>>): string {
  const info = params.clientInfo;
  const name = typeof info === 'object' && info !== null && 'name' in info ? info.name : undefined;
  return typeof name === 'string' ? name : '';
}

/** Refuses a second request with the same id, since their answers could not be told apart. */
export function duplicateIdError({ idText }: RawRequest): RpcError {
  return new RpcError(invalidRequest(`A request with the id ${idText.slice(0, 100)} is still in progress`));
}

/**
 * Returns the answers to an invalid message, one for each part of a batch; undefined for a part that cannot
 * be answered.
 */
export function refusals(message: unknown): readonly (WireMessage | undefined)[] {
  const parts: readonly (UncheckedEnvelope | null)[] = Array.isArray(message) ? message : [message];
  return parts.map(errorResponseTo);
}

function invalidRequest(message: string): JsonRpcErrorObject {
  return { code: rpcErrorCodes.invalidRequest, message };
}

/** Sends a message to one side. Failures are ignored, since the transport reports that the side has gone. */
export function sendMessage(transport: Transport, message: WireMessage, urgent = false): void {
  const sent = transport.send(message, undefined, urgent);
  sent.catch(ignore);
  applyBackpressure(message, transport);
}

/** Pauses reading from a sender that sends more than the other side accepts. */
export function applyBackpressure(message: WireMessage, { congestion }: Transport): void {
  if (congestion !== undefined) toRaw(message).source?.pauseUntil(congestion);
}

const ignore = () => {};
