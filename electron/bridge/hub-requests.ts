import { TransientMap } from '../engine/base/transient-map.ts';
import type { JsonRpcId } from '../engine/jsonrpc/message.ts';
import { toOwnId } from '../engine/jsonrpc/message-kind.ts';
import type { RawMessage } from '../engine/jsonrpc/raw-message.ts';
import { toRaw } from '../engine/jsonrpc/read-message.ts';

/**
 * Tracks requests of hubs that the client has not answered. They get the bridge's own ids: each hub starts
 * counting again, and a late answer to one hub must not answer a request of another.
 */
export class HubRequests {
  /** The hub's id as JSON, by our id. */
  readonly #open = new TransientMap<JsonRpcId, string>();
  #last = 0;

  /** Returns the request as sent to the client. */
  toClient(message: RawMessage): RawMessage {
    this.#last += 1;
    this.#open.set(this.#last, message.idText);
    return message.with({ id: String(this.#last) });
  }

  /** Returns the answer as sent to the hub; undefined if nobody waits for it. */
  toHub(message: RawMessage): RawMessage | undefined {
    const ours = toOwnId(message.id);
    const id = ours === undefined ? undefined : this.#open.get(ours);
    if (ours === undefined || id === undefined) return undefined;
    this.#open.delete(ours);
    return message.with({ id });
  }

  /** Returns a notification as sent to the client; a cancellation gets our id. */
  notificationToClient(notice: RawMessage): RawMessage {
    if (notice.method !== 'notifications/cancelled') return notice;
    const theirs = JSON.stringify(notice.params?.requestId);
    const ours = this.#open.keys().find((id) => this.#open.get(id) === theirs);
    if (ours === undefined) return notice;
    this.#open.delete(ours);
    return toRaw({ ...notice.value, params: { ...notice.params, requestId: ours } });
  }

  /** Forgets all requests of a hub that has gone; returns our ids. */
  takeAll(): readonly JsonRpcId[] {
    const ids = this.#open.keys();
    this.#open.clear();
    return ids;
  }
}
