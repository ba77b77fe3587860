import type { CatalogueView } from '../catalogue/contract.ts';
import type { CallSignal, Router } from '../route/contract.ts';
import { type JsonRpcId, RpcError } from '../rpc/message.ts';
import type { RawMessage, RawRequest } from '../rpc/raw-message.ts';

/** The calls of one client that are on their way to a server. */
export interface Calls {
  /**
   * Resolves with the raw answer; never settles once cancelled, since a cancelled request gets no answer. The view may
   * take its time; a cancellation counts from the start.
   */
  run(
    request: RawRequest,
    view: CatalogueView | Promise<CatalogueView>,
    onProgress: (notice: RawMessage) => void,
    serverKey?: string,
  ): Promise<unknown>;
  /** Aborts the call of this id at once; an unknown id (already answered) is nothing. */
  cancel(id: JsonRpcId): void;
  cancelAll(): void;
  /** Ends every call with this error as its answer, and resolves when the answers are on their way. */
  failAll(error: RpcError): Promise<void>;
}

export function createCalls(router: Router): Calls {
  const running = new Map<JsonRpcId, Cancellation>();
  return {
    async run(message, view, onProgress, serverKey) {
      const signal = new Cancellation();
      const { id } = message;
      const isLive = () => running.get(id) === signal && !signal.aborted;
      running.set(id, signal);
      try {
        const result = await router.forward({
          message,
          requestId: id,
          view: view instanceof Promise ? await view : view,
          signal,
          // A notice that comes after the answer would name a token the client no longer knows.
          onProgress: (notice) => (isLive() ? onProgress(notice) : undefined),
          ...(serverKey === undefined ? {} : { serverKey }),
        });
        return signal.aborted ? await aborted(signal) : result;
      } catch (error) {
        if (signal.aborted) return await aborted(signal);
        throw error;
      } finally {
        if (running.get(id) === signal) running.delete(id);
      }
    },
    cancel(id) {
      running.get(id)?.abort();
      running.delete(id);
    },
    cancelAll() {
      for (const signal of running.values()) signal.abort();
      running.clear();
    },
    async failAll(error) {
      for (const signal of running.values()) signal.abort(error);
      // The router lets go of aborted calls and the peer writes the answers within this turn.
      if (running.size > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** What an AbortController would be, at a tenth of its cost: a call is seldom aborted, but each can be. */
class Cancellation implements CallSignal {
  aborted = false;
  reason: unknown;
  readonly #listeners = new Set<() => void>();

  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  abort(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    for (const listener of [...this.#listeners]) listener();
  }
}

/** A call that was failed has its error as reason; one that was cancelled is never answered. */
function aborted({ reason }: CallSignal): Promise<never> {
  return reason instanceof RpcError ? Promise.reject(reason) : new Promise(() => {});
}
