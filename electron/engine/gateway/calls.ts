import type { CatalogueView } from '../catalogue/contract.ts';
import type { AbortListener, CallSignal, Router } from '../route/contract.ts';
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
  /** Aborts the call of this id at once, for the client's reason; an unknown id (already answered) is nothing. */
  cancel(id: JsonRpcId, reason?: unknown): void;
  cancelAll(): void;
  /** Ends every call with this error as its answer, and resolves when the answers are on their way. */
  failAll(error: RpcError): Promise<void>;
}

export function createCalls(router: Router): Calls {
  /** In no order. No map, for the reason that {@link IdTable} gives; that one is looked for by its id is rare. */
  const running: RunningCall[] = [];

  function remove(call: RunningCall): void {
    call.isLive = false;
    const last = running.pop();
    if (last === undefined || last === call) return;
    running[call.place] = last;
    last.place = call.place;
  }

  return {
    async run(message, view, onProgress, serverKey) {
      const call = new RunningCall(message, running.length);
      running.push(call);
      try {
        const answer = await router.forward({
          message,
          requestId: message.id,
          view: view instanceof Promise ? await view : view,
          signal: call,
          // A notice that comes after the answer would name a token the client no longer knows.
          onProgress: (notice) => (call.isLive ? onProgress(notice) : undefined),
          serverKey,
        });
        remove(call);
        return call.aborted ? call.end() : answer;
      } catch (error) {
        remove(call);
        return call.aborted ? call.end() : Promise.reject(error);
      }
    },
    cancel(id, reason) {
      running.findLast(({ message, isLive }) => isLive && message.id === id)?.abort(reason);
    },
    cancelAll() {
      for (const call of [...running]) call.abort();
    },
    async failAll(error) {
      for (const call of [...running]) call.abort(error);
      // The router lets go of aborted calls and the peer writes the answers within this turn.
      if (running.length > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A call with its own signal: an AbortController for each would cost more than all the rest of it. */
class RunningCall implements CallSignal {
  readonly message: RawRequest;
  /** Where it stands among those that run. */
  place: number;
  isLive = true;
  aborted = false;
  reason: unknown;
  #listener: AbortListener | undefined;
  #others: AbortListener[] | undefined;

  constructor(message: RawRequest, place: number) {
    this.message = message;
    this.place = place;
  }

  addEventListener(_type: 'abort', listener: AbortListener): void {
    if (this.#listener === undefined) this.#listener = listener;
    else this.#others = [...(this.#others ?? []), listener];
  }

  removeEventListener(_type: 'abort', listener: AbortListener): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#others = this.#others?.filter((other) => other !== listener);
  }

  abort(reason?: unknown): void {
    if (!this.isLive) return;
    this.isLive = false;
    this.aborted = true;
    this.reason = reason;
    for (const listener of [this.#listener, ...(this.#others ?? [])]) {
      if (typeof listener === 'function') listener();
      else listener?.handleEvent();
    }
  }

  /** The outcome of one that was aborted: it was failed with an error, or cancelled, and then is never answered. */
  end(): Promise<never> {
    return this.reason instanceof RpcError ? Promise.reject(this.reason) : new Promise(() => {});
  }
}
