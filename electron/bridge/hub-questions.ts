import type { JsonRpcId } from '../engine/rpc/message.ts';
import { ownId } from '../engine/rpc/message-kind.ts';
import type { RawMessage } from '../engine/rpc/raw-message.ts';
import { toRaw } from '../engine/rpc/read-message.ts';

/**
 * What hubs have asked and the client has not answered. Towards the client they have ids of the bridge's own: each hub
 * begins with its ids anew, and a late answer to one hub must not answer another's question.
 */
export class HubQuestions {
  /** The hub's id as JSON, by ours. */
  readonly #open = new Map<JsonRpcId, string>();
  #last = 0;

  /** The question as the client is asked it. */
  ask(message: RawMessage): RawMessage {
    this.#last += 1;
    this.#open.set(this.#last, message.idText);
    return message.with({ id: String(this.#last) });
  }

  /** The answer as the hub is told it; undefined for one that nobody waits for. */
  answer(message: RawMessage): RawMessage | undefined {
    const ours = ownId(message.id);
    const id = ours === undefined ? undefined : this.#open.get(ours);
    if (ours === undefined || id === undefined) return undefined;
    this.#open.delete(ours);
    return message.with({ id });
  }

  /** A notice of the hub as the client is told it; one that takes a question back names it by our id. */
  tell(notice: RawMessage): RawMessage {
    if (notice.method !== 'notifications/cancelled') return notice;
    const theirs = JSON.stringify(notice.params?.requestId);
    const ours = [...this.#open].find(([, id]) => id === theirs)?.[0];
    if (ours === undefined) return notice;
    this.#open.delete(ours);
    return toRaw({ ...notice.value, params: { ...notice.params, requestId: ours } });
  }

  /** The hub has gone: yields our ids of what it asked. */
  withdraw(): readonly JsonRpcId[] {
    const ids = [...this.#open.keys()];
    this.#open.clear();
    return ids;
  }
}
