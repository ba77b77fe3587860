import { TransientMap } from '../../base/transient-map.ts';
import type { JsonRpcId } from '../../jsonrpc/message.ts';
import { isId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import type { WireMessage } from '../../jsonrpc/read-message.ts';

/** Tracks the other side's unanswered requests; it may use an id for several at once. */
export class OpenRequests {
  /** Number of requests by their id. */
  readonly #counts = new TransientMap<JsonRpcId, number>();

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** Records a message from the other side; a cancelled request needs no answer. */
  received(message: RawMessage): void {
    // A listen ends with the connection.
    if (message.method === 'subscriptions/listen') return;
    if (message.kind === 'request') this.#add(message.id as JsonRpcId);
    else if (message.method === 'notifications/cancelled') {
      const id = message.params?.requestId;
      if (isId(id)) this.#remove(id);
    }
  }

  /** Records a message sent to the other side. */
  sent(message: WireMessage): void {
    if ('method' in message && message.method !== undefined) return;
    if ('id' in message && isId(message.id)) this.#remove(message.id);
  }

  /** The id of each request, as often as it is used. */
  all(): readonly JsonRpcId[] {
    return this.#counts.keys().flatMap((id) => Array(this.#counts.get(id)).fill(id));
  }

  #add(id: JsonRpcId): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1);
  }

  #remove(id: JsonRpcId): void {
    const left = (this.#counts.get(id) ?? 0) - 1;
    if (left > 0) this.#counts.set(id, left);
    else this.#counts.delete(id);
  }
}
