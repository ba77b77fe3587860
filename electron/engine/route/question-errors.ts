import { problem } from '../../../shared/error/problem.ts';
import { RpcError, rpcErrorCodes } from '../rpc/message.ts';
import { toRpcError } from './error-map.ts';

/**
 * Error for a server request that cannot be attributed to one client. Answering for any of them would be a
 * guess.
 */
export function nobodyToAsk(
  serverKey: string,
  method: string,
  why: 'none' | 'ambiguous' | 'unseen',
): RpcError {
  const [reason, fix] = whyNobody[why];
  const unclear = problem('client.unclear', `${method} was not forwarded: ${reason}.`, fix, {
    server: serverKey,
  });
  return toRpcError(unclear, { serverKey, method });
}

const whyNobody = {
  none: ['no client call is in progress on this server', 'Send the request during a call from that client.'],
  ambiguous: [
    'calls from several clients are in progress on this server, and nothing shows which one this is for',
    'Set "isolation": "per-client" for this server, which gives each client its own process.',
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
export function clientUnable(clientName: string, what: string, wire?: 'invalidParams'): RpcError {
  const sentence = `The client ${clientName || 'of this session'} does not support ${what}.`;
  const error = toRpcError(
    problem('client.unable', sentence, 'Do without it, or use a different client.', {}),
  );
  return wire === undefined ? error : new RpcError({ ...error.toObject(), code: rpcErrorCodes[wire] });
}

/** Error for a client that cannot be reached, or disconnected before it answered. */
export function clientGone(method: string): RpcError {
  const sentence = `${method} was not answered: the client has disconnected or cannot be reached.`;
  return toRpcError(problem('client.gone', sentence, 'Try again in a later call.', { method }));
}
