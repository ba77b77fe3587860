import type { WireMessage } from '../../../jsonrpc/read-message.ts';

/** Destination of the messages of one request of a modern client: its own HTTP response, or the pipe. */
export interface ClientChannel {
  /** Rejects if nobody reads any more. */
  send(message: WireMessage): Promise<void>;
}
