import { type JsonRpcId, RpcError, rpcErrorCodes } from '../rpc/message.ts';
import { isId } from '../rpc/message-kind.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import type { ServerRequest } from './contract.ts';

/** Requests of one server that have not been answered. */
export interface Incoming {
  /** Resolves with the response; never settles for a cancelled request, which gets none. */
  answer(message: RawRequest, relatedTo: JsonRpcId | undefined): Promise<unknown>;
  /** Cancels a request on behalf of the server. */
  cancel(requestId: unknown, reason: unknown): void;
  /** Cancels all requests when the connection ends. */
  endAll(): void;
}

/** Takes a function that answers requests, and one that sends notifications to the server. */
export function createIncoming(
  ask: (request: ServerRequest) => Promise<unknown>,
  tell: ServerRequest['tell'],
): Incoming {
  const open = new Map<JsonRpcId, AbortController>();
  return {
    async answer(message, relatedTo) {
      const { id } = message;
      if (message.method === 'ping') return {};
      if (open.has(id)) throw repeatedId();
      const controller = new AbortController();
      const { signal } = controller;
      open.set(id, controller);
      try {
        const related = relatedTo === undefined ? {} : { relatedTo };
        const result = await ask({ message, signal, tell, ...related });
        return signal.aborted ? await unanswered() : result;
      } catch (error) {
        if (signal.aborted) return await unanswered();
        throw error;
      } finally {
        if (open.get(id) === controller) open.delete(id);
      }
    },
    cancel(requestId, reason) {
      if (!isId(requestId)) return;
      const controller = open.get(requestId);
      open.delete(requestId);
      controller?.abort(reason);
    },
    endAll() {
      for (const controller of open.values()) controller.abort('The server has ended');
      open.clear();
    },
  };
}

function unanswered(): Promise<never> {
  return new Promise(() => {});
}

function repeatedId(): RpcError {
  const message = 'A request with this id is still in progress';
  return new RpcError({ code: rpcErrorCodes.invalidRequest, message });
}
