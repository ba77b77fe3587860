import type { Clock } from '../base/clock.ts';
import { RpcError } from '../rpc/message.ts';
import type { ServerRequest } from '../supervise/contract.ts';
import type { CallOutcome, QuestionListener } from './contract.ts';

/** Reports the requests of servers to clients. */
export class QuestionBook {
  readonly #clock: Clock;
  readonly #listener: QuestionListener | undefined;
  readonly #sessions = new WeakMap<ServerRequest, string>();
  readonly #unasked = new WeakMap<ServerRequest, () => void>();

  constructor(clock: Clock, listener: QuestionListener | undefined) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Sets the session that is asked, which may be known only after a while. */
  isFor(request: ServerRequest, sessionId: string): void {
    this.#sessions.set(request, sessionId);
    this.#unasked.get(request)?.();
  }

  /** Observes a request and returns its result unchanged. */
  async hear(serverKey: string, request: ServerRequest, answer: Promise<unknown>): Promise<unknown> {
    const startedAt = this.#clock.now();
    const about = () => ({
      serverKey,
      sessionId: this.#sessions.get(request),
      request: request.message,
      startedAt,
    });
    const asking = () => this.#tell((listener) => listener.asking?.(about()));
    if (this.#sessions.has(request)) asking();
    else this.#unasked.set(request, asking);
    const tell = (outcome: CallOutcome, answered: unknown) =>
      this.#tell((listener) =>
        listener.asked({ ...about(), endedAt: this.#clock.now(), outcome, answer: answered }),
      );
    try {
      const answered = await answer;
      tell('ok', answered);
      return answered;
    } catch (error) {
      tell(request.signal.aborted ? 'cancelled' : outcomeOf(error), error);
      throw error;
    }
  }

  #tell(what: (listener: QuestionListener) => void): void {
    try {
      if (this.#listener !== undefined) what(this.#listener);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

/** A request that did not reach a client fails with one of our own codes. */
function outcomeOf(error: unknown): CallOutcome {
  if (!(error instanceof RpcError) || typeof error.data !== 'object' || error.data === null) return 'error';
  return 'code' in error.data && String(error.data.code).startsWith('client.') ? 'refused' : 'error';
}
