import { TransientMap } from '../../base/transient-map.ts';
import type { ConnectionClosedError, JsonRpcId } from '../../jsonrpc/message.ts';
import { isId, toOwnId } from '../../jsonrpc/message-kind.ts';
import type { RawMessage, RawRequest } from '../../jsonrpc/raw-message.ts';

/**
 * A request that the server has to answer. The answer comes on the request's own stream; if that ends without
 * an answer, the request must not wait forever.
 */
export interface Exchange {
  readonly id: JsonRpcId;
  readonly method: string;
  readonly request: RawRequest;
  /** Aborted when nobody waits any more: many servers leave the stream open forever. */
  readonly controller: AbortController;
  /** True once the answer has arrived. */
  answered: boolean;
  /**
   * Resolves once it is known whether the error that answers it concerns the session: to the error that ends
   * the session, if so.
   */
  verdict: Promise<ConnectionClosedError | undefined> | undefined;
  /** The answer can only come on the session stream. */
  awaitsSessionStream: boolean;
  /** True once the request was sent again because the server closed the connection. */
  isRepeated: boolean;
  /** Position from which its stream can be resumed. */
  lastEventId: string | undefined;
  /** Milliseconds that the server asks to wait before that. */
  retry: number;
  /** Data of its stream that was not a message. */
  words: Buffer | undefined;
}

/** Requests in flight over one connection. */
export class Exchanges {
  readonly #open = new TransientMap<JsonRpcId, Exchange>();
  readonly #answered: (exchange: Exchange) => void;

  /** `answered` is called for each answer. */
  constructor(answered: (exchange: Exchange) => void) {
    this.#answered = answered;
  }

  begin(request: RawRequest): Exchange {
    const { id, method } = request;
    const controller = new AbortController();
    const start = { answered: false, awaitsSessionStream: false, isRepeated: false, retry: 0 };
    const unset = { verdict: undefined, lastEventId: undefined, words: undefined };
    const exchange = { id, method, request, controller, ...start, ...unset };
    this.#open.set(id, exchange);
    return exchange;
  }

  /** Records an answer, on whichever stream it came. */
  received(message: RawMessage): void {
    if (message.kind !== 'result' && message.kind !== 'failure') return;
    const id = toOwnId(message.id);
    const exchange = id === undefined ? undefined : this.#open.get(id);
    if (exchange === undefined) return;
    exchange.answered = true;
    this.#open.delete(exchange.id);
    this.#answered(exchange);
  }

  /** Returns true for an exchange that was still waiting. */
  end({ id }: Exchange): boolean {
    return this.#open.delete(id);
  }

  awaitingSessionStream(): readonly Exchange[] {
    return this.inFlight().filter(({ awaitsSessionStream }) => awaitsSessionStream);
  }

  inFlight(): readonly Exchange[] {
    return this.#open.values();
  }

  isInFlight(exchange: Exchange): boolean {
    return this.#open.get(exchange.id) === exchange;
  }

  /** Ends an exchange that nobody waits for any more. */
  cancel(id: JsonRpcId): void {
    const exchange = this.#open.get(id);
    this.#open.delete(id);
    exchange?.controller.abort();
  }

  close(): void {
    for (const id of this.#open.keys()) this.cancel(id);
  }
}

/** Returns the request that a cancellation names. */
export function cancelledId(message: RawMessage): JsonRpcId | undefined {
  if (message.method !== 'notifications/cancelled') return undefined;
  const { params } = message;
  return isId(params?.requestId) ? params.requestId : undefined;
}
