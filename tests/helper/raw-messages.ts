import type { JsonRpcNotification } from '../../electron/engine/jsonrpc/message.ts';
import { RawMessage, type RawRequest } from '../../electron/engine/jsonrpc/raw-message.ts';
import { toRaw } from '../../electron/engine/jsonrpc/read-message.ts';

type Params = Readonly<Record<string, unknown>>;

/** A client's request as a router gets it. */
export function requestOf(method: string, params: Params, id: string | number = 1): RawRequest {
  return toRaw({ jsonrpc: '2.0', id, method, params }) as RawRequest;
}

/** A progress notice as a router hands it on. */
export function progressOf(params: Params): RawMessage {
  const notification: JsonRpcNotification = { jsonrpc: '2.0', method: 'notifications/progress', params };
  return toRaw(notification);
}

/** Returns the result of a router's answer, raw or not. */
export function resultOf(answer: unknown): unknown {
  return answer instanceof RawMessage ? answer.result : answer;
}
