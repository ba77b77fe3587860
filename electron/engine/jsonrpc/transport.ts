import type { JsonRpcId } from './message.ts';
import type { WireMessage } from './read-message.ts';

export interface TransportHandlers {
  /**
   * Receives a message that is not validated yet; the peer does that. It is raw if the transport has it as
   * bytes. `relatedTo` is the id of our request on whose own stream it arrived; only HTTP knows this.
   */
  message(message: WireMessage, relatedTo?: JsonRpcId): void;
  /** Receives anything that is not a JSON-RPC message: a banner, a broken line. The connection stays open. */
  noise?(text: string): void;
  /**
   * Tells whether several responses are pending. If so, a message may be delayed briefly so that it is
   * written together with the next one.
   */
  isBusy?(): boolean;
  /** The HTTP exchange of this request of ours broke, so no response will come. The connection stays open. */
  requestLost?(id: JsonRpcId, reason: Error): void;
  /** Called exactly once, whichever side closed the connection; nothing is called after it. */
  closed(reason?: Error): void;
}

/** Carries JSON-RPC messages over stdio, a socket, HTTP or memory. */
export interface Transport {
  /**
   * Called once, before the first send. Resolves when messages can be sent; rejects if the transport cannot
   * start.
   */
  start(handlers: TransportHandlers): Promise<void>;
  /**
   * Resolves when the message has been handed over and more may be sent (back-pressure); rejects with
   * ConnectionClosedError if it cannot be. `relatedTo` is the id of the other side's request that this
   * message belongs to: over HTTP it is sent on that request's own stream; other transports ignore it.
   * `urgent` messages skip the outgoing queue.
   */
  send(message: WireMessage, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void>;
  /**
   * Set while too much is queued; settles when the queue has drained. Forwarding connections pause their
   * sources until then.
   */
  readonly congestion?: Promise<void> | undefined;
  /** Takes back a message that has not been written yet; returns false if it is too late. */
  withdraw?(message: WireMessage): boolean;
  /** Ends the connection; idempotent. */
  close(): Promise<void>;
  /** The HTTP transport that the server actually speaks, if its entry states the other one. */
  readonly detectedType?: 'http' | 'sse' | undefined;
  /** How the server speaks, and why it is taken to; known once `initialize` has been answered. */
  readonly era?:
    | { readonly era: 'legacy'; readonly reason: string }
    | { readonly era: 'modern'; readonly reason: string; readonly version: string }
    | undefined;
  /** Sets the negotiated protocol version, which HTTP sends with each message. */
  setProtocolVersion?(version: string): void;
}
