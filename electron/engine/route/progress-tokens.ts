import type { Disposable } from '../base/emitter.ts';
import type { JsonRpcNotification } from '../rpc/message.ts';

type Params = Readonly<Record<string, unknown>>;

/** One call that wants to hear of its progress. */
export interface ProgressLeg extends Disposable {
  /** The params with our token in place of the client's. */
  readonly params: Params;
}

/**
 * Tokens of live calls. Clients choose tokens on their own, so two may choose the same one: towards the servers each
 * call gets one of ours, and what comes back gets the client's again, in the client's type.
 */
export class ProgressTokens {
  readonly #live = new Map<unknown, LiveToken>();
  #last = 0;

  /** Watches a call until it is disposed; a call without a token is passed on as it is. */
  watch(serverKey: string, params: Params, onProgress: (params: Params) => void): ProgressLeg {
    const meta = params._meta;
    if (!isRecord(meta) || meta.progressToken === undefined) return { params, dispose: () => {} };
    this.#last += 1;
    const token = this.#last;
    this.#live.set(token, { serverKey, clientToken: meta.progressToken, onProgress });
    return {
      params: { ...params, _meta: { ...meta, progressToken: token } },
      dispose: () => void this.#live.delete(token),
    };
  }

  /** Hands a progress notice to the call it belongs to; one for no live call of this server is dropped. */
  deliver(serverKey: string, { method, params }: JsonRpcNotification): void {
    if (method !== 'notifications/progress' || params === undefined) return;
    const live = this.#live.get(params.progressToken);
    if (live?.serverKey !== serverKey) return;
    live.onProgress({ ...params, progressToken: live.clientToken });
  }

  clear(): void {
    this.#live.clear();
  }
}

interface LiveToken {
  readonly serverKey: string;
  readonly clientToken: unknown;
  readonly onProgress: (params: Params) => void;
}

function isRecord(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
