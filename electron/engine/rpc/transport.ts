import type { JsonRpcId } from './message.ts';
import type { WireMessage } from './read-message.ts';

export interface TransportHandlers {
  /**
   * What came in, not yet checked to be well-formed: the peer does that. Raw where the transport has it as bytes.
   * `relatedTo` is the id of our request on whose own stream it came; only HTTP can tell.
   */
  message(message: WireMessage, relatedTo?: JsonRpcId): void;
  /** Something arrived that is no JSON-RPC message: a banner, a broken line. The connection lives on. */
  noise?(text: string): void;
  /** Whether several answers are waited for: what is sent meanwhile may wait for what is about to be, and leave with it. */
  isBusy?(): boolean;
  /** No answer will come to this request of ours, though the connection lives on: its own HTTP exchange broke. */
  lost?(id: JsonRpcId, reason: Error): void;
  /** Called exactly once, whoever closed it and why; nothing is called after it. */
  closed(reason?: Error): void;
}

/** What `send` may return where nobody has to wait: known by its identity, it costs nothing to look at. */
export const SENT: Promise<void> = Promise.resolve();

/** A way for JSON-RPC messages to travel: stdio, socket, HTTP or memory. */
export interface Transport {
  /** Called once, before the first send. Resolves when messages can be sent; rejects when that cannot be. */
  start(handlers: TransportHandlers): Promise<void>;
  /**
   * Resolves when the message has been handed over and more may be sent (back-pressure); rejects with
   * ConnectionClosedError when it cannot be. `relatedTo` is the id of the other side's request that this request or
   * notification belongs to: over HTTP it then travels on that request's own stream; elsewhere it makes no difference.
   * `urgent` overtakes what still waits here.
   */
  send(message: WireMessage, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void>;
  /** While more waits to leave than should: settles when it has. Whoever sends what others say makes them wait. */
  readonly congestion?: Promise<void> | undefined;
  /** Takes a message back that has not begun to leave; false if it is too late. */
  withdraw?(message: WireMessage): boolean;
  /** Ends the connection; idempotent. */
  close(): Promise<void>;
  /** The HTTP transport that the server turned out to speak, where its entry states the other one. */
  readonly turnedOut?: 'http' | 'sse' | undefined;
  /** Tells the negotiated protocol revision to a transport that states it with each message (HTTP). */
  setProtocolVersion?(version: string): void;
}
