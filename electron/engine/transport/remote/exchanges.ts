import type { ConnectionClosedError, JsonRpcId } from '../../rpc/message.ts';
import { isId, ownId } from '../../rpc/message-kind.ts';
import type { RawMessage, RawRequest } from '../../rpc/raw-message.ts';

/**
 * A request that the server owes an answer. The answer comes on the request's own stream; one that ends without it must
 * not leave the request waiting for ever.
 */
export interface Exchange {
  readonly id: JsonRpcId;
  readonly method: string;
  readonly request: RawRequest;
  /** Aborted when nobody waits any more: many servers then leave the stream open for ever. */
  readonly controller: AbortController;
  /** The answer has come. */
  answered: boolean;
  /** Resolves once it is known whether the error that answers it is about the session: then to what ends that. */
  verdict: Promise<ConnectionClosedError | undefined> | undefined;
  /** The answer can only come on the session's own stream. */
  isElsewhere: boolean;
  /** True once it was asked again because the server closed the connection. */
  isRepeated: boolean;
  /** Where its stream can be taken up again. */
  lastEventId: string | undefined;
  /** Milliseconds the server wishes to be left alone before that. */
  retry: number;
  /** Data of its stream that was no message. */
  words: Buffer | undefined;
}

/** The requests under way over one connection. */
export class Exchanges {
  readonly #open = new Map<JsonRpcId, Exchange>();
  readonly #answered: (exchange: Exchange) => void;

  /** `answered` is told of each. */
  constructor(answered: (exchange: Exchange) => void) {
    this.#answered = answered;
  }

  begin(request: RawRequest): Exchange {
    const { id, method } = request;
    const controller = new AbortController();
    const start = { answered: false, isElsewhere: false, isRepeated: false, retry: 0 };
    const unset = { verdict: undefined, lastEventId: undefined, words: undefined };
    const exchange = { id, method, request, controller, ...start, ...unset };
    this.#open.set(id, exchange);
    return exchange;
  }

  /** Counts an answer, on whichever stream it came. */
  heard(message: RawMessage): void {
    if (message.kind !== 'result' && message.kind !== 'failure') return;
    const id = ownId(message.id);
    const exchange = id === undefined ? undefined : this.#open.get(id);
    if (exchange === undefined) return;
    exchange.answered = true;
    this.#open.delete(exchange.id);
    this.#answered(exchange);
  }

  /** True for one that was still waiting. */
  end({ id }: Exchange): boolean {
    return this.#open.delete(id);
  }

  elsewhere(): readonly Exchange[] {
    return this.underway().filter(({ isElsewhere }) => isElsewhere);
  }

  underway(): readonly Exchange[] {
    return [...this.#open.values()];
  }

  isUnderway(exchange: Exchange): boolean {
    return this.#open.get(exchange.id) === exchange;
  }

  /** No longer waited for. */
  cancel(id: JsonRpcId): void {
    const exchange = this.#open.get(id);
    this.#open.delete(id);
    exchange?.controller.abort();
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.cancel(id);
  }
}

/** The request that a cancellation names. */
export function cancelledId(message: RawMessage): JsonRpcId | undefined {
  if (message.method !== 'notifications/cancelled') return undefined;
  const { params } = message;
  return isId(params?.requestId) ? params.requestId : undefined;
}
