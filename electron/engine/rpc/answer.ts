import { type JsonRpcErrorObject, type JsonRpcMessage, RpcError, rpcErrorCodes } from './message.ts';
import { ObjectMessage } from './object-message.ts';
import { RawMessage } from './raw-message.ts';
import { readMessage, toRaw, type WireMessage } from './read-message.ts';

/**
 * Builds the response from a handler's return value. A raw result keeps its bytes; any other value is
 * serialized.
 */
export function answerWith(request: RawMessage, result: unknown): WireMessage {
  if (!(result instanceof RawMessage)) return write(request, 'result', result ?? {});
  return result.kind === 'result' ? underIdOf(request, result) : write(request, 'result', result.value);
}

/**
 * Builds the error response. An error received from another connection keeps its bytes; anything that is not
 * an RpcError becomes an internal error.
 */
export function refuseWith(request: RawMessage, error: unknown): WireMessage {
  if (!(error instanceof RpcError)) return write(request, 'error', internalError(error));
  return error.wire === undefined
    ? write(request, 'error', error.toObject())
    : underIdOf(request, error.wire);
}

function underIdOf(request: RawMessage, answer: RawMessage): RawMessage {
  const isSafe = !(answer instanceof ObjectMessage) || isPrintedAsRead(request);
  const kept = isSafe ? answer : (readMessage(answer.line()) ?? answer);
  return kept.with({ id: request.idText });
}

function write(request: RawMessage, member: 'result' | 'error', content: unknown): WireMessage {
  const answer = { jsonrpc: '2.0', id: request.id, [member]: content } as unknown as JsonRpcMessage;
  return isPrintedAsRead(request) ? answer : underIdOf(request, toRaw(answer));
}

/** Detects ids that JavaScript does not print as they were received, such as integers above 2^53. */
function isPrintedAsRead({ id, idText }: RawMessage): boolean {
  return (typeof id === 'number' ? String(id) : JSON.stringify(id)) === idText;
}

function internalError(error: unknown): JsonRpcErrorObject {
  const message = error instanceof Error ? error.message : String(error);
  return { code: rpcErrorCodes.internalError, message };
}
