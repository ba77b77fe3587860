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
  const unclear = problem('client.unclear', `${method} was not passed on: ${reason}.`, fix, {
    server: serverKey,
  });
  return toRpcError(unclear, { serverKey, method });
}

const whyNobody = {
  none: ['no client call is in progress at this server', 'Ask during a call of that client.'],
  ambiguous: [
    'calls of several clients are in progress at this server, and nothing says which one this is for',
    'Set "isolation": "per-client" for this server, which gives each client a process of its own.',
  ],
  unseen: [
    'no client that is connected may have anything of this server',
    'Grant a client something of this server, or put it in its profile.',
  ],
} as const;

/**
 * Error for a capability that the client has not declared. By the protocol, an unsupported mode is an invalid
 * parameter.
 */
export function clientUnable(clientName: string, what: string, wire?: 'invalidParams'): RpcError {
  const sentence = `The client ${clientName || 'of this session'} does not offer ${what}.`;
  const error = toRpcError(problem('client.unable', sentence, 'Do without it, or use another client.', {}));
  return wire === undefined ? error : new RpcError({ ...error.toObject(), code: rpcErrorCodes[wire] });
}

/** Error for a client that cannot be reached, or disconnected before it answered. */
export function clientGone(method: string): RpcError {
  const sentence = `${method} was not answered: the client has gone or cannot be asked now.`;
  return toRpcError(problem('client.gone', sentence, 'Try again in a later call.', { method }));
}
