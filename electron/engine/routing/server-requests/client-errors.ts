import { problem } from '../../../../shared/error/problem.ts';
import { RpcError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import { toRpcError } from '../error-map.ts';

/**
 * Error for a server request that cannot be attributed to one client. Answering for any of them would be a
 * guess.
 */
export function noClientToAsk(
  serverKey: string,
  method: string,
  kind: 'none' | 'ambiguous' | 'unseen',
): RpcError {
  const [reason, fix] = noClientReasons[kind];
  const unclear = problem('client.unclear', `${method} was not forwarded: ${reason}.`, fix, {
    server: serverKey,
  });
  return toRpcError(unclear, { serverKey, method });
}

const noClientReasons = {
  none: ['no client call is in progress on this server', 'Send the request during a call from that client.'],
  ambiguous: [
    'several calls are in progress on this server, and nothing shows which one this is for',
    'Set "patchbay": { "isolation": "per-client" } for this server, which gives each client its own process.',
  ],
  unseen: [
    'no connected client has access to this server',
    "Give a client access to this server, or add the server to the client's profile.",
  ],
} as const;

/**
 * Error for a capability that the client has not declared. By the protocol, an unsupported mode is an invalid
 * parameter.
 */
export function capabilityMissing(
  clientName: string,
  capability: string,
  wireCode?: 'invalidParams',
): RpcError {
  const sentence = `The client ${clientName || 'of this session'} does not support ${capability}.`;
  const error = toRpcError(
    problem('client.unable', sentence, 'Do without it, or use a different client.', {}),
  );
  return wireCode === undefined
    ? error
    : new RpcError({ ...error.toObject(), code: rpcErrorCodes[wireCode] });
}

/** Error for a client that cannot be reached, or disconnected before it answered. */
export function clientDisconnected(method: string): RpcError {
  const sentence = `${method} was not answered: the client has disconnected or cannot be reached.`;
  return toRpcError(problem('client.gone', sentence, 'Try again in a later call.', { method }));
}
