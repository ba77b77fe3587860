import type { JsonRpcId } from './message.ts';
import type { ParamChanges, RawMessage, RawNotification, RawRequest } from './raw-message.ts';

/** An outgoing request that is in progress. */
export interface PendingRequest<Result = unknown> {
  /** The request's id on this connection. */
  readonly id: JsonRpcId;
  /**
   * Rejects with RpcError (an error response) or ConnectionClosedError (no response will come). There is no
   * timeout; the caller decides how long to wait.
   */
  readonly result: Promise<Result>;
  /**
   * Stops waiting: `result` rejects with the reason, and a late response is dropped. Sends nothing. Returns
   * whether the other side should be sent a cancellation, which is not needed if the request is over or was
   * never sent.
   */
  abandon(reason: Error): boolean;
}

export interface PeerHandlers {
  /**
   * Resolves with the result to send. A raw result is forwarded with only its id replaced; any other value is
   * serialized. A thrown RpcError is sent as it is, anything else as an internal error. `relatedTo` is the
   * request of ours that it belongs to, if the transport knows; see `TransportHandlers.message`.
   */
  request(request: RawRequest, relatedTo?: JsonRpcId): Promise<unknown>;
  /** Must not throw; exceptions are reported as noise. */
  notification(notification: RawNotification, relatedTo?: JsonRpcId): void;
  noise?(text: string): void;
  /** Returns the method whose results look like this one, if no other method has such results. */
  methodOf?(result: unknown): string | undefined;
  /** Called when a response to a request of ours is dropped because nobody waits for it any more. */
  lateResponse?(id: JsonRpcId): void;
  /** Called when the last forwarded request has completed. */
  idle?(): void;
  /** Called when the connection has ended, after all pending requests have been rejected. */
  closed(reason?: Error): void;
}

/** One side of a JSON-RPC connection: matches ids and answers requests. Knows nothing about MCP. */
export interface Peer {
  /** Number of messages received so far, not counting noise and invalid ones. */
  readonly receivedCount: number;
  /** Number of forwarded requests in progress. */
  readonly forwardedCount: number;
  start(): Promise<void>;
  /** `relatedTo` is the id of the incoming request this one belongs to, see `Transport.send`. */
  request(method: string, params?: Readonly<Record<string, unknown>>, relatedTo?: JsonRpcId): PendingRequest;
  /** Sends a request and resolves with the raw response. */
  requestRaw(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest<RawMessage>;
  notify(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    relatedTo?: JsonRpcId,
    urgent?: boolean,
  ): Promise<void>;
  /**
   * Forwards a request from another connection, byte for byte except for its id and `changes`. Resolves with
   * the raw response; an error response rejects with an RpcError that keeps it raw.
   */
  forward(request: RawMessage, changes?: ParamChanges, relatedTo?: JsonRpcId): PendingRequest<RawMessage>;
  /** Forwards a notification from another connection, byte for byte. */
  forwardNotification(notification: RawMessage, relatedTo?: JsonRpcId): Promise<void>;
  close(): Promise<void>;
}
