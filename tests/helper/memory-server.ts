import type { ServerListing } from '../../electron/engine/catalogue/contract.ts';
import { type JsonRpcId, RpcError, rpcErrorCodes } from '../../electron/engine/jsonrpc/message.ts';
import { createPeer } from '../../electron/engine/jsonrpc/peer.ts';
import { toRaw } from '../../electron/engine/jsonrpc/read-message.ts';
import type { Connection } from '../../electron/engine/servers/contract.ts';
import { createMemoryTransportPair } from '../../electron/engine/transport/memory-transport.ts';

type Params = Readonly<Record<string, unknown>>;

export interface MemoryServerOptions {
  readonly handlers: Readonly<Record<string, (params: Params, id: JsonRpcId) => unknown>>;
  readonly capabilities?: ServerListing['capabilities'];
  readonly instructions?: string;
  /** Receives the server's notifications. */
  readonly onNotification?: (method: string, params: Params) => void;
}

export interface Received {
  readonly method: string;
  readonly params: Params | undefined;
  /** Absent for notifications. */
  readonly id?: JsonRpcId;
}

/** A server in this process behind a real connection over a memory transport, past its handshake. */
export async function connectTo(options: MemoryServerOptions) {
  const [near, far] = createMemoryTransportPair();
  const received: Received[] = [];
  const server = createPeer(far, {
    async request({ id, method, params }) {
      received.push({ id, method, params });
      const handler = options.handlers[method];
      if (handler === undefined) {
        throw new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
      }
      return handler(params ?? {}, id);
    },
    notification: ({ method, params }) => void received.push({ method, params }),
    closed: () => {},
  });
  const client = createPeer(near, {
    request: () => Promise.reject(new RpcError({ code: rpcErrorCodes.methodNotFound, message: 'No' })),
    notification: ({ method, params }) => options.onNotification?.(method, params ?? {}),
    closed: () => {},
  });
  await Promise.all([server.start(), client.start()]);
  const connection: Connection = {
    handshake: {
      protocolVersion: '2025-11-25',
      capabilities: options.capabilities ?? { tools: {} },
      serverInfo: { name: 'memory', version: '1' },
      ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
    },
    received: () => client.receivedCount,
    request: (method, params) => client.request(method, params),
    requestRaw: (method, params) =>
      client.forward(toRaw({ jsonrpc: '2.0', id: 0, method, ...(params === undefined ? {} : { params }) })),
    forward: (request, changes) => client.forward(request, changes),
    notify: (method, params, urgent) => client.notify(method, params, undefined, urgent),
  };
  return {
    connection,
    /** Everything that reached the server, in order. */
    received,
    notify: (method: string, params: Params) => server.notify(method, params),
    close: () => server.close(),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
