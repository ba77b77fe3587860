import type { JsonRpcMessage } from './message.ts';

export interface TransportHandlers {
  message(message: JsonRpcMessage): void;
  /** Something arrived that is no JSON-RPC message: a banner, a broken line. The connection lives on. */
  noise?(text: string): void;
  /** Called exactly once, whoever closed it and why; nothing is called after it. */
  closed(reason?: Error): void;
}

/** A way for JSON-RPC messages to travel: stdio, socket, HTTP or memory. */
export interface Transport {
  /** Called once, before the first send. Resolves when messages can be sent; rejects when that cannot be. */
  start(handlers: TransportHandlers): Promise<void>;
  /** Resolves when the message has been handed over and more may be sent (back-pressure); rejects when it cannot be. */
  send(message: JsonRpcMessage): Promise<void>;
  /** Ends the connection; idempotent. */
  close(): Promise<void>;
}
