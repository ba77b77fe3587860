import type { CatalogueView } from '../catalogue/contract.ts';
import type { Router } from '../route/contract.ts';
import { type JsonRpcId, type JsonRpcRequest, RpcError } from '../rpc/message.ts';

/** The calls of one client that are on their way to a server. */
export interface Calls {
  /**
   * Resolves with the raw result; never settles once cancelled, since a cancelled request gets no answer. `findView`
   * may take its time; a cancellation counts from the start.
   */
  run(
    request: JsonRpcRequest,
    findView: () => Promise<CatalogueView>,
    onProgress: (params: Readonly<Record<string, unknown>>) => void,
  ): Promise<unknown>;
  /** Aborts the call of this id at once; an unknown id (already answered) is nothing. */
  cancel(id: JsonRpcId): void;
  cancelAll(): void;
  /** Ends every call with this error as its answer, and resolves when the answers are on their way. */
  failAll(error: RpcError): Promise<void>;
}

export function createCalls(router: Router): Calls {
  const running = new Map<JsonRpcId, AbortController>();
  return {
    async run(request, findView, onProgress) {
      const controller = new AbortController();
      const { signal } = controller;
      const isLive = () => running.get(request.id) === controller && !signal.aborted;
      running.set(request.id, controller);
      try {
        const result = await router.forward({
          method: request.method,
          params: request.params ?? {},
          requestId: request.id,
          view: await findView(),
          signal,
          // A notice that comes after the answer would name a token the client no longer knows.
          onProgress: (params) => (isLive() ? onProgress(params) : undefined),
        });
        return signal.aborted ? await aborted(signal) : result;
      } catch (error) {
        if (signal.aborted) return await aborted(signal);
        throw error;
      } finally {
        if (running.get(request.id) === controller) running.delete(request.id);
      }
    },
    cancel(id) {
      running.get(id)?.abort();
      running.delete(id);
    },
    cancelAll() {
      for (const controller of running.values()) controller.abort();
      running.clear();
    },
    async failAll(error) {
      for (const controller of running.values()) controller.abort(error);
      // The router lets go of aborted calls and the peer writes the answers within this turn.
      if (running.size > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A call that was failed has its error as reason; one that was cancelled is never answered. */
function aborted({ reason }: AbortSignal): Promise<never> {
  return reason instanceof RpcError ? Promise.reject(reason) : new Promise(() => {});
}
