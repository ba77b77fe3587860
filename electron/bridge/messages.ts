import {
  type JsonRpcErrorObject,
  type JsonRpcNotification,
  RpcError,
  rpcErrorCodes,
} from '../engine/rpc/message.ts';
import type { UncheckedEnvelope } from '../engine/rpc/message-kind.ts';
import type { RawRequest } from '../engine/rpc/raw-message.ts';
import type { WireMessage } from '../engine/rpc/read-message.ts';
import { errorResponseTo } from '../engine/rpc/refusal.ts';

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
  return new RpcError(invalidRequest(`A request with the id ${idText.slice(0, 100)} is still in flight`));
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
