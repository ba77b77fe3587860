import type { Disposable } from '../base/emitter.ts';
import type { JsonRpcNotification } from '../rpc/message.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';

/** One call that wants to hear of its progress. */
export interface ProgressLeg extends Disposable {
  /** Our token, as JSON, in place of the client's. */
  readonly token: string;
}

/**
 * Tokens of live calls. Clients choose tokens on their own, so two may choose the same one: towards the servers each
 * call gets one of ours, and what comes back gets the client's again, exactly as the client wrote it.
 */
export class ProgressTokens {
  readonly #live = new Map<unknown, LiveToken>();
  #last = 0;

  /** Watches a call until it is disposed; undefined for a call without a token. */
  watch(
    serverKey: string,
    request: RawMessage,
    onProgress: (notice: RawMessage) => void,
  ): ProgressLeg | undefined {
    const clientToken = request.paramText('metaToken');
    if (clientToken === undefined) return undefined;
    this.#last += 1;
    const token = this.#last;
    this.#live.set(token, { serverKey, clientToken, onProgress });
    return { token: String(token), dispose: () => void this.#live.delete(token) };
  }

  /** Hands a progress notice to the call it belongs to; one for no live call of this server is dropped. */
  deliver(serverKey: string, notification: JsonRpcNotification): void {
    if (notification.method !== 'notifications/progress') return;
    const notice = toRaw(notification);
    const live = this.#live.get(notice.param('progressToken'));
    if (live?.serverKey !== serverKey) return;
    live.onProgress(notice.with({ params: { progressToken: live.clientToken } }));
  }

  clear(): void {
    this.#live.clear();
  }
}

interface LiveToken {
  readonly serverKey: string;
  /** As JSON. */
  readonly clientToken: string;
  readonly onProgress: (notice: RawMessage) => void;
}
