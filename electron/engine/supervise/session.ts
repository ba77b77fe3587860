import { type JsonRpcRequest, RpcError, rpcErrorCodes } from '../rpc/message.ts';
import { createPeer } from '../rpc/peer.ts';
import type { Peer } from '../rpc/peer-contract.ts';
import type { Transport } from '../rpc/transport.ts';
import type { Connection, Handshake } from './contract.ts';
import type { RunOptions } from './run.ts';

export interface Session {
  readonly peer: Peer;
  readonly transport: Transport;
  /** Resolves, with the reason if one is known, when the connection has ended; everything pending has been rejected. */
  readonly closed: Promise<Error | undefined>;
}

/** The hub's side of a connection to a server: answers its pings, keeps its noise in the log. */
export function openSession(
  transport: Transport,
  { log, events }: Pick<RunOptions, 'log' | 'events'>,
): Session {
  const { promise: closed, resolve } = deferred<Error | undefined>();
  const peer = createPeer(transport, {
    request: answer,
    notification: events.notification,
    noise: (text) => log.append('stdout', text),
    closed: resolve,
  });
  return { peer, transport, closed };
}

/** What may be used of a session once hands are shaken. */
export function toConnection(peer: Peer, handshake: Handshake): Connection {
  return {
    handshake,
    request: (method, params) => peer.request(method, params),
    notify: (method, params) => peer.notify(method, params),
  };
}

async function answer({ method }: JsonRpcRequest): Promise<unknown> {
  if (method === 'ping') return {};
  throw new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}

function deferred<T>() {
  let settle: (value: T) => void = () => {};
  const promise = new Promise<T>((resolve) => {
    settle = resolve;
  });
  return { promise, resolve: (value: T) => settle(value) };
}
