import type { Clock } from '../base/clock.ts';
import type { JsonRpcId, JsonRpcMessage } from '../rpc/message.ts';
import { isId } from '../rpc/message-kind.ts';

/**
 * The requests that a Streamable HTTP server owes an answer. Each answer comes on its request's own stream; a stream
 * that ends without it must not leave its request waiting for ever.
 */
export interface Exchanges {
  begin(id: JsonRpcId): void;
  /** Answered: the server ends the stream itself, which leaves the connection usable. */
  end(id: JsonRpcId): void;
  /** No longer waited for: many servers then leave its stream open for ever, so it is ended from here. */
  cancel(id: JsonRpcId): void;
  has(id: JsonRpcId): boolean;
  /** The stream can be taken up again from here. */
  resumable(id: JsonRpcId, token: string): void;
  /** What a token belongs to: a request still open, one that is over, or no request. */
  owner(token: string): { readonly id: JsonRpcId } | 'over' | undefined;
  /** Watches the stream that carries the answer; without a token its end is the end of the request. */
  follow(id: JsonRpcId, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>;
  /** No answer will come. */
  lose(id: JsonRpcId): void;
}

interface Exchange {
  token: string | undefined;
  cancel: (() => void) | undefined;
}

/** What came last on a stream is still being parsed when its end is seen. */
const LAST_EVENT_MS = 100;
const REMEMBERED_TOKENS = 256;

export function createExchanges(clock: Clock, lost: (id: JsonRpcId) => void): Exchanges {
  const open = new Map<JsonRpcId, Exchange>();
  const owners = new Map<string, JsonRpcId>();
  const over = new Set<string>();

  function end(id: JsonRpcId): Exchange | undefined {
    const exchange = open.get(id);
    open.delete(id);
    if (exchange?.token !== undefined) retire(exchange.token);
    return exchange;
  }

  function retire(token: string): void {
    owners.delete(token);
    over.add(token);
    const [oldest] = over;
    if (over.size > REMEMBERED_TOKENS && oldest !== undefined) over.delete(oldest);
  }

  const lose = (id: JsonRpcId) => {
    if (end(id) !== undefined) lost(id);
  };

  return {
    begin: (id) => void open.set(id, { token: undefined, cancel: undefined }),
    end: (id) => void end(id),
    cancel: (id) => end(id)?.cancel?.(),
    has: (id) => open.has(id),
    lose,
    resumable(id, token) {
      const exchange = open.get(id);
      if (exchange === undefined) return retire(token);
      if (exchange.token !== undefined) owners.delete(exchange.token);
      exchange.token = token;
      owners.set(token, id);
    },
    owner(token) {
      const id = owners.get(token);
      if (id !== undefined) return { id };
      return over.has(token) ? 'over' : undefined;
    },
    follow(id, body) {
      const exchange = open.get(id);
      if (exchange === undefined) return body;
      const ended = () => {
        if (open.get(id) !== exchange) return;
        clock.after(LAST_EVENT_MS, () => {
          if (open.get(id) === exchange && exchange.token === undefined) lose(id);
        });
      };
      const watched = watchStream(body, ended);
      exchange.cancel = watched.cancel;
      return watched.stream;
    },
  };
}

/** The same stream, with its end told once, however it comes, and a way to end it from outside. */
export function watchStream(
  body: ReadableStream<Uint8Array>,
  ended: () => void,
): { readonly stream: ReadableStream<Uint8Array>; readonly cancel: () => void } {
  const reader = body.getReader();
  let over = false;
  const end = () => {
    if (!over) ended();
    over = true;
  };
  const cancel = () => void reader.cancel().catch(() => {});
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          end();
          throw error;
        });
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, cancel };
}

/** The request that a cancellation names. */
export function cancelledId(message: JsonRpcMessage): JsonRpcId | undefined {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return undefined;
  const id = message.params?.requestId;
  return isId(id) ? id : undefined;
}
