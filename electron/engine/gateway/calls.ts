import type { CatalogueView } from '../catalogue/contract.ts';
import type { AbortListener, CallSignal, RouteRequest, Router } from '../route/contract.ts';
import { IdTable } from '../rpc/id-table.ts';
import { type JsonRpcId, RpcError } from '../rpc/message.ts';
import type { RawMessage, RawRequest } from '../rpc/raw-message.ts';

/** The calls in progress of one client. */
export interface ClientCalls {
  /**
   * Resolves with the raw response; never settles once cancelled, because a cancelled request gets no
   * response. The view may take time; cancelling works from the start.
   */
  run(
    request: RawRequest,
    view: CatalogueView | Promise<CatalogueView>,
    onProgress: (request: RawRequest, notification: RawMessage) => void,
    options?: Pick<RouteRequest, 'serverKey' | 'keepProgress'>,
  ): Promise<unknown>;
  /** Aborts the call with this id, with the client's reason; ignores unknown ids (already answered). */
  cancel(id: JsonRpcId, reason?: unknown): void;
  /** Ends the call of this message with an error; returns false if it is not in progress. */
  stop(message: RawRequest, why: RpcError): boolean;
  cancelAll(): void;
  /** Ends every call with this error, and resolves when the responses have been handed over. */
  failAll(error: RpcError): Promise<void>;
}

export function createClientCalls(router: Router, sessionId: string): ClientCalls {
  /** Keyed by a number of our own, because lookups by the client's id are rare. */
  const running = new IdTable<RunningCall>();
  let lastNumber = 0;

  /** Removes the call and returns whether it was aborted. */
  function finish(call: RunningCall): boolean {
    call.isLive = false;
    running.take(call.id);
    return call.aborted;
  }

  return {
    run(message, view, onProgress, { serverKey, keepProgress } = {}) {
      const call = new RunningCall(++lastNumber, message);
      running.set(call);
      const forward = (known: CatalogueView) =>
        router.forward({
          sessionId,
          message,
          requestId: message.id,
          view: known,
          signal: call,
          // Progress after the response would carry a token that the client no longer knows, except for
          // tasks.
          onProgress: (notification) =>
            call.isLive || keepProgress ? onProgress(message, notification) : undefined,
          keepProgress,
          serverKey,
        });
      // Avoids `await`, whose cost would dominate this path that runs for every call.
      return (view instanceof Promise ? view.then(forward) : forward(view)).then(
        (answer) => (finish(call) ? call.outcome() : answer),
        (error: unknown) => (finish(call) ? call.outcome() : Promise.reject(error)),
      );
    },
    cancel(id, reason) {
      const matching = running.all().filter(({ message, isLive }) => isLive && message.id === id);
      matching.at(-1)?.abort(reason);
    },
    stop(message, why) {
      const call = running.all().find((each) => each.isLive && each.message === message);
      call?.abort(why);
      return call !== undefined;
    },
    cancelAll() {
      for (const call of running.all()) call.abort();
    },
    async failAll(error) {
      for (const call of running.all()) call.abort(error);
      // The router releases aborted calls, and the peer writes their responses, within this turn.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/**
 * A call that is its own signal, because creating an AbortController for each call would cost more than the
 * rest of it.
 */
class RunningCall implements CallSignal {
  readonly id: number;
  readonly message: RawRequest;
  isLive = true;
  aborted = false;
  reason: unknown;
  #listener: AbortListener | undefined;
  #moreListeners: AbortListener[] | undefined;

  constructor(id: number, message: RawRequest) {
    this.id = id;
    this.message = message;
  }

  addEventListener(_type: 'abort', listener: AbortListener): void {
    if (this.#listener === undefined) this.#listener = listener;
    else this.#moreListeners = [...(this.#moreListeners ?? []), listener];
  }

  removeEventListener(_type: 'abort', listener: AbortListener): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#moreListeners = this.#moreListeners?.filter((other) => other !== listener);
  }

  abort(reason?: unknown): void {
    if (!this.isLive) return;
    this.isLive = false;
    this.aborted = true;
    this.reason = reason;
    for (const listener of [this.#listener, ...(this.#moreListeners ?? [])]) {
      if (typeof listener === 'function') listener();
      else listener?.handleEvent();
    }
  }

  /**
   * Returns the outcome of an aborted call: the given error or, if it was cancelled, a promise that never
   * settles.
   */
  outcome(): Promise<never> {
    return this.reason instanceof RpcError ? Promise.reject(this.reason) : new Promise(() => {});
  }
}
