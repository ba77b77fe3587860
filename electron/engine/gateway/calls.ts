import type { CatalogueView } from '../catalogue/contract.ts';
import type { AbortListener, CallSignal, RouteRequest, Router } from '../route/contract.ts';
import { IdTable } from '../rpc/id-table.ts';
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
    onProgress: (request: RawRequest, notice: RawMessage) => void,
    more?: Pick<RouteRequest, 'serverKey' | 'keepProgress'>,
  ): Promise<unknown>;
  /** Aborts the call of this id at once, for the client's reason; an unknown id (already answered) is nothing. */
  cancel(id: JsonRpcId, reason?: unknown): void;
  /** Ends the call of this very message, with this error as its answer; false where it is not under way. */
  stop(message: RawRequest, why: RpcError): boolean;
  cancelAll(): void;
  /** Ends every call with this error as its answer, and resolves when the answers are on their way. */
  failAll(error: RpcError): Promise<void>;
}

export function createCalls(router: Router, sessionId: string): Calls {
  /** By a number of our own: that one is looked for by the client's id is rare. */
  const running = new IdTable<RunningCall>();
  let lastNumber = 0;

  /** Whether it was aborted before. */
  function over(call: RunningCall): boolean {
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
          // A notice that comes after the answer would name a token the client no longer knows, but for that of a task.
          onProgress: (notice) => (call.isLive || keepProgress ? onProgress(message, notice) : undefined),
          keepProgress,
          serverKey,
        });
      // Not by `await`: this is made for each call, and that takes more than all else here.
      return (view instanceof Promise ? view.then(forward) : forward(view)).then(
        (answer) => (over(call) ? call.end() : answer),
        (error: unknown) => (over(call) ? call.end() : Promise.reject(error)),
      );
    },
    cancel(id, reason) {
      const named = running.all().filter(({ message, isLive }) => isLive && message.id === id);
      named.at(-1)?.abort(reason);
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
      // The router lets go of aborted calls and the peer writes what is answered within this turn.
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** A call with its own signal: an AbortController for each would cost more than all the rest of it. */
class RunningCall implements CallSignal {
  readonly id: number;
  readonly message: RawRequest;
  isLive = true;
  aborted = false;
  reason: unknown;
  #listener: AbortListener | undefined;
  #others: AbortListener[] | undefined;

  constructor(id: number, message: RawRequest) {
    this.id = id;
    this.message = message;
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
