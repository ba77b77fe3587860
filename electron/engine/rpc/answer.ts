import { type JsonRpcErrorObject, type JsonRpcMessage, RpcError, rpcErrorCodes } from './message.ts';
import { ObjectMessage } from './object-message.ts';
import { RawMessage } from './raw-message.ts';
import { readMessage, toRaw, type WireMessage } from './read-message.ts';

/** Answers a request with what its handler came to: a raw result as it came, anything else as a value. */
export function answerWith(request: RawMessage, result: unknown): WireMessage {
  if (!(result instanceof RawMessage)) return write(request, 'result', result ?? {});
  return result.kind === 'result' ? underIdOf(request, result) : write(request, 'result', result.value);
}

/** Answers a request with an error: one that came from elsewhere as it came, one of our own, or a bug. */
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

/** A client that counts beyond 2^53 wants its own id back, which a value does not keep. */
function isPrintedAsRead({ id, idText }: RawMessage): boolean {
  return (typeof id === 'number' ? String(id) : JSON.stringify(id)) === idText;
}

function internalError(error: unknown): JsonRpcErrorObject {
  const message = error instanceof Error ? error.message : String(error);
  return { code: rpcErrorCodes.internalError, message };
}
