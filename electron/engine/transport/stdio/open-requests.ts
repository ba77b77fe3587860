import { TransientSet } from '../../base/transient-map.ts';
import type { JsonRpcId } from '../../jsonrpc/message.ts';
import { isId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import type { WireMessage } from '../../jsonrpc/read-message.ts';

/** Tracks the other side's unanswered requests. */
export class OpenRequests {
  readonly #ids = new TransientSet<JsonRpcId>();

  get isEmpty(): boolean {
    return this.#ids.size === 0;
  }

  /** Records a message from the other side; a cancelled request needs no answer. */
  received(message: RawMessage): void {
    // A listen ends with the connection.
    if (message.method === 'subscriptions/listen') return;
    if (message.kind === 'request') this.#ids.add(message.id as JsonRpcId);
    else if (message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (isId(id)) this.#ids.delete(id);
    }
  }

  /** Records a message sent to the other side. */
  sent(message: WireMessage): void {
    if ('method' in message && message.method !== undefined) return;
    if ('id' in message && isId(message.id)) this.#ids.delete(message.id);
  }

  all(): readonly JsonRpcId[] {
    return this.#ids.values();
  }
}
