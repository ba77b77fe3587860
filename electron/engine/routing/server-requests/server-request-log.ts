import type { Clock } from '../../base/clock.ts';
import { rethrowLater } from '../../base/emitter.ts';
import { RpcError } from '../../jsonrpc/message.ts';
import type { ServerRequest } from '../../servers/contract.ts';
import type { CallOutcome, ServerRequestListener } from '../contract.ts';

/** Reports the requests of servers to clients. */
export class ServerRequestLog {
  readonly #clock: Clock;
  readonly #listeners: readonly ServerRequestListener[];
  readonly #sessions = new WeakMap<ServerRequest, string>();
  readonly #onSessionKnown = new WeakMap<ServerRequest, () => void>();

  constructor(clock: Clock, listeners: readonly ServerRequestListener[]) {
    this.#clock = clock;
    this.#listeners = listeners;
  }

  /** Sets the session that is asked, which may be known only after a while. */
  setSession(request: ServerRequest, sessionId: string): void {
    this.#sessions.set(request, sessionId);
    this.#onSessionKnown.get(request)?.();
  }

  /** Observes a request and returns its result unchanged. */
  async observe(serverKey: string, request: ServerRequest, answer: Promise<unknown>): Promise<unknown> {
    const startedAt = this.#clock.now();
    const facts = () => ({
      serverKey,
      sessionId: this.#sessions.get(request),
      request: request.message,
      startedAt,
    });
    const reportStarted = () => this.#report((listener) => listener.requestStarted?.(facts()));
    if (this.#sessions.has(request)) reportStarted();
    else this.#onSessionKnown.set(request, reportStarted);
    const reportEnded = (outcome: CallOutcome, answerValue: unknown) =>
      this.#report((listener) =>
        listener.requestEnded({ ...facts(), endedAt: this.#clock.now(), outcome, answer: answerValue }),
      );
    try {
      const answerValue = await answer;
      reportEnded('ok', answerValue);
      return answerValue;
    } catch (error) {
      reportEnded(request.signal.aborted ? 'cancelled' : outcomeOf(error), error);
      throw error;
    }
  }

  #report(notify: (listener: ServerRequestListener) => void): void {
    for (const listener of this.#listeners) {
      try {
        notify(listener);
      } catch (error) {
        rethrowLater(error);
      }
    }
  }
}

/** A request that did not reach a client fails with one of our own codes. */
function outcomeOf(error: unknown): CallOutcome {
  if (!(error instanceof RpcError) || typeof error.data !== 'object' || error.data === null) return 'error';
  return 'code' in error.data && String(error.data.code).startsWith('client.') ? 'refused' : 'error';
}
