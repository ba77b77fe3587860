import { printJson } from '../../../shared/json.ts';
import { type JsonRpcErrorObject, type JsonRpcFailure, rpcErrorCodes } from './message.ts';
import { isId, type UncheckedEnvelope } from './message-kind.ts';

/**
 * Builds the error response to an invalid request, with a null id if its own is unusable; undefined if none
 * is due.
 */
export function errorResponseTo(part: UncheckedEnvelope | null): JsonRpcFailure | undefined {
  const { id, method, result, error } = part ?? {};
  if (method === undefined && (result ?? error) !== undefined) return undefined;
  if (isId(id)) return { jsonrpc: '2.0', id, error: invalidRequest };
  const isRequest = typeof method === 'string' && id !== undefined;
  return isRequest ? { jsonrpc: '2.0', id: null, error: invalidRequest } : undefined;
}

const invalidRequest = { code: rpcErrorCodes.invalidRequest, message: 'Invalid Request' };

/** Error for a request whose response is invalid, with a quote of that response. */
export function invalidResponse(response: unknown): JsonRpcErrorObject {
  const message = 'The response is not a valid JSON-RPC message';
  return {
    code: rpcErrorCodes.invalidRequest,
    message,
    data: { answer: (printJson(response) ?? 'nested too deeply').slice(0, maxQuoteLength) },
  };
}

/** Error for a request that a result without an id may belong to. */
export const ambiguousResponse: JsonRpcErrorObject = {
  code: rpcErrorCodes.invalidRequest,
  message:
    'The server answered without an id while several requests were in progress. It is not known which one it answered, nor whether this one took effect.',
};

const maxQuoteLength = 1000;
