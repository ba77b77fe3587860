import { TransientMap } from '../../../base/transient-map.ts';
import { type JsonRpcId, RpcError, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import { isId } from '../../../jsonrpc/message-kind.ts';
import type { RawRequest } from '../../../jsonrpc/raw-message.ts';
import type { ServerRequest } from '../../contract.ts';

/** Requests of one server that have not been answered. */
export interface IncomingRequests {
  /** Resolves with the response; never settles for a cancelled request, which gets none. */
  answer(message: RawRequest, relatedTo: JsonRpcId | undefined): Promise<unknown>;
  /** Cancels a request on behalf of the server. */
  cancel(requestId: unknown, reason: unknown): void;
  /** Cancels all requests when the connection ends. */
  cancelAll(): void;
}

/** Takes a function that answers requests, and one that sends notifications to the server. */
export function createIncomingRequests(
  handle: (request: ServerRequest) => Promise<unknown>,
  notify: ServerRequest['notify'],
): IncomingRequests {
  const pending = new TransientMap<JsonRpcId, AbortController>();
  return {
    async answer(message, relatedTo) {
      const { id } = message;
      if (message.method === 'ping') return {};
      if (pending.has(id)) throw duplicateId();
      const controller = new AbortController();
      const { signal } = controller;
      pending.set(id, controller);
      try {
        const related = relatedTo === undefined ? {} : { relatedTo };
        const result = await handle({ message, signal, notify, ...related });
        return signal.aborted ? await never() : result;
      } catch (error) {
        if (signal.aborted) return await never();
        throw error;
      } finally {
        if (pending.get(id) === controller) pending.delete(id);
      }
    },
    cancel(requestId, reason) {
      if (!isId(requestId)) return;
      const controller = pending.get(requestId);
      pending.delete(requestId);
      controller?.abort(reason);
    },
    cancelAll() {
      for (const controller of pending.values()) controller.abort('The server has ended');
      pending.clear();
    },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

function duplicateId(): RpcError {
  const message = 'A request with this id is still in progress';
  return new RpcError({ code: rpcErrorCodes.invalidRequest, message });
}
