import { type JsonRpcFailure, rpcErrorCodes } from './message.ts';
import { isId, type LooseEnvelope } from './message-kind.ts';

/** The answer to a request that breaks the rules, under no id where its own is none; undefined where none is due. */
export function refusalOf(part: LooseEnvelope | null): JsonRpcFailure | undefined {
  const { id, method, result, error } = part ?? {};
  if (method === undefined && (result ?? error) !== undefined) return undefined;
  if (isId(id)) return { jsonrpc: '2.0', id, error: invalidRequest };
  const isRequest = typeof method === 'string' && id !== undefined;
  return isRequest ? { jsonrpc: '2.0', id: null, error: invalidRequest } : undefined;
}

const invalidRequest = { code: rpcErrorCodes.invalidRequest, message: 'Invalid Request' };

/** What a request is ended with that was answered with something that is no answer. */
export const invalidAnswer = {
  code: rpcErrorCodes.invalidRequest,
  message: 'The answer is not a valid JSON-RPC message',
};

/** The number that an id has become text of. */
export function asNumber(id: unknown): number | undefined {
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
