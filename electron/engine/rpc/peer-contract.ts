import type { JsonRpcId, JsonRpcNotification, JsonRpcRequest } from './message.ts';

/** An outgoing request under way. */
export interface PendingRequest {
  /** The id it travels under on this connection. */
  readonly id: JsonRpcId;
  /**
   * The raw result. Rejects with RpcError (the other side's answer), or ConnectionClosedError (no answer will come).
   * There is no timeout: whoever asks decides how long to wait.
   */
  readonly result: Promise<unknown>;
  /** Forgets it: a late answer is dropped, `result` rejects with the reason. Sends nothing to the other side. */
  abandon(reason: Error): void;
}

export interface PeerHandlers {
  /**
   * Resolves with the result to send; an RpcError thrown is sent as it stands, anything else as internal error.
   * `relatedTo`: the request of ours that it belongs to, where the transport can tell; see `TransportHandlers.message`.
   */
  request(request: JsonRpcRequest, relatedTo?: JsonRpcId): Promise<unknown>;
  /** Must not throw; what it throws is reported as noise. */
  notification(notification: JsonRpcNotification, relatedTo?: JsonRpcId): void;
  noise?(text: string): void;
  /** The connection has ended; all pending requests have been rejected before this is called. */
  closed(reason?: Error): void;
}

/** One side of a JSON-RPC connection: matches ids, answers requests, knows no MCP. */
export interface Peer {
  start(): Promise<void>;
  /** `relatedTo`: the id of the incoming request this belongs to, see `Transport.send`. */
  request(method: string, params?: Readonly<Record<string, unknown>>, relatedTo?: JsonRpcId): PendingRequest;
  notify(method: string, params?: Readonly<Record<string, unknown>>, relatedTo?: JsonRpcId): Promise<void>;
  close(): Promise<void>;
}
