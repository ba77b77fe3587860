import type { JsonRpcId } from './message.ts';
import type { ParamChanges, RawMessage, RawNotification, RawRequest } from './raw-message.ts';

/** An outgoing request under way. */
export interface PendingRequest<Result = unknown> {
  /** The id it travels under on this connection. */
  readonly id: JsonRpcId;
  /**
   * The result. Rejects with RpcError (the other side's answer), or ConnectionClosedError (no answer will come).
   * There is no timeout: whoever asks decides how long to wait.
   */
  readonly result: Promise<Result>;
  /**
   * Forgets it: a late answer is dropped, `result` rejects with the reason. Sends nothing to the other side, and
   * returns whether the other side need be told: not if the request is over, or never left.
   */
  abandon(reason: Error): boolean;
}

export interface PeerHandlers {
  /**
   * Resolves with the result to send. A raw message that is a result is sent on as it came, only its id replaced; any
   * other value is written as JSON. An RpcError thrown is sent as it stands, anything else as internal error.
   * `relatedTo`: the request of ours that it belongs to, where the transport can tell; see `TransportHandlers.message`.
   */
  request(request: RawRequest, relatedTo?: JsonRpcId): Promise<unknown>;
  /** Must not throw; what it throws is reported as noise. */
  notification(notification: RawNotification, relatedTo?: JsonRpcId): void;
  noise?(text: string): void;
  /** The method of the requests that have results like this one, where it can be no other's. */
  methodOf?(result: unknown): string | undefined;
  /** An answer to a request of ours that is no longer waited for, if it ever was: it is dropped. */
  late?(id: JsonRpcId): void;
  /** The last of the forwarded requests has its outcome. */
  quiet?(): void;
  /** The connection has ended; all pending requests have been rejected before this is called. */
  closed(reason?: Error): void;
}

/** One side of a JSON-RPC connection: matches ids, answers requests, knows no MCP. */
export interface Peer {
  /** Messages that have come in so far; what is none does not count. */
  readonly received: number;
  /** Forwarded requests that wait for their outcome. */
  readonly underway: number;
  start(): Promise<void>;
  /** `relatedTo`: the id of the incoming request this belongs to, see `Transport.send`. */
  request(method: string, params?: Readonly<Record<string, unknown>>, relatedTo?: JsonRpcId): PendingRequest;
  /** As `request`, but resolves with the raw message that answers it. */
  ask(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest<RawMessage>;
  notify(
    method: string,
    params?: Readonly<Record<string, unknown>>,
    relatedTo?: JsonRpcId,
    urgent?: boolean,
  ): Promise<void>;
  /**
   * Sends a request of another connection on, byte for byte but for its id and `changes`. Resolves with the raw
   * message that answers it; an error answer rejects with an RpcError that keeps it raw.
   */
  forward(request: RawMessage, changes?: ParamChanges, relatedTo?: JsonRpcId): PendingRequest<RawMessage>;
  /** Sends a notification of another connection on, byte for byte. */
  relay(notification: RawMessage, relatedTo?: JsonRpcId): Promise<void>;
  close(): Promise<void>;
}
