import { type JsonRpcErrorObject, type JsonRpcMessage, RpcError, rpcErrorCodes } from './message.ts';
import { ObjectMessage } from './object-message.ts';
import { RawMessage } from './raw-message.ts';
import { readMessage, toRaw, type WireMessage } from './read-message.ts';

/**
 * Builds the response from a handler's return value. A raw result keeps its bytes; any other value is
 * serialized.
 */
export function toResponse(request: RawMessage, result: unknown): WireMessage {
  if (!(result instanceof RawMessage)) return buildResponse(request, 'result', result ?? {});
  return result.kind === 'result'
    ? withIdOf(request, result)
    : buildResponse(request, 'result', result.value);
}

/**
 * Builds the error response. An error received from another connection keeps its bytes; anything that is not
 * an RpcError becomes an internal error.
 */
export function toErrorResponse(request: RawMessage, error: unknown): WireMessage {
  if (!(error instanceof RpcError)) return buildResponse(request, 'error', internalError(error));
  return error.received === undefined
    ? buildResponse(request, 'error', error.toObject())
    : withIdOf(request, error.received);
}

function withIdOf(request: RawMessage, answer: RawMessage): RawMessage {
  const isSafe = !(answer instanceof ObjectMessage) || isIdPrintedAsReceived(request);
  const safe = isSafe ? answer : (readMessage(answer.line()) ?? answer);
  const { idText } = request;
  return safe.idText === idText ? safe : safe.with({ id: idText });
}

function buildResponse(request: RawMessage, member: 'result' | 'error', content: unknown): WireMessage {
  const answer = { jsonrpc: '2.0', id: request.id, [member]: content } as unknown as JsonRpcMessage;
  return isIdPrintedAsReceived(request) ? answer : withIdOf(request, toRaw(answer));
}

/** Detects ids that JavaScript does not print as they were received, such as integers above 2^53. */
function isIdPrintedAsReceived({ id, idText }: RawMessage): boolean {
  return (typeof id === 'number' ? String(id) : JSON.stringify(id)) === idText;
}

function internalError(error: unknown): JsonRpcErrorObject {
  const message = error instanceof Error ? error.message : String(error);
  return { code: rpcErrorCodes.internalError, message };
}
