import {
  type JsonRpcErrorObject,
  type JsonRpcNotification,
  RpcError,
  rpcErrorCodes,
} from '../engine/rpc/message.ts';
import type { LooseEnvelope } from '../engine/rpc/message-kind.ts';
import type { RawRequest } from '../engine/rpc/raw-message.ts';
import type { WireMessage } from '../engine/rpc/read-message.ts';
import { refusalOf } from '../engine/rpc/refusal.ts';

export function notice(method: string): JsonRpcNotification {
  return { jsonrpc: '2.0', method };
}

/** The name a client gives itself in `initialize`. */
export function clientName(params: Readonly<Record<string, unknown>>): string {
  const info = params.clientInfo;
  const name = typeof info === 'object' && info !== null && 'name' in info ? info.name : undefined;
  return typeof name === 'string' ? name : '';
}

/** Two requests under one id could not be told apart by their answers. */
export function idInUse({ idText }: RawRequest): RpcError {
  return new RpcError(invalidRequest(`A request with the id ${idText.slice(0, 100)} is still in flight`));
}

/** The answers to an invalid message, part by part if it is a batch; undefined where a part can have none. */
export function refusals(message: unknown): readonly (WireMessage | undefined)[] {
  const parts: readonly (LooseEnvelope | null)[] = Array.isArray(message) ? message : [message];
  return parts.map(refusalOf);
}

function invalidRequest(message: string): JsonRpcErrorObject {
  return { code: rpcErrorCodes.invalidRequest, message };
}
