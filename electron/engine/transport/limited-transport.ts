import { isListMethod, type ListMethod, listKeys } from '../../../shared/model/mcp.ts';
import { readByteMessage } from '../jsonrpc/byte-message.ts';
import { elementSpans, memberSpans, type Span } from '../jsonrpc/json/json-spans.ts';
import { type JsonRpcId, rpcErrorCodes } from '../jsonrpc/message.ts';
import { isId } from '../jsonrpc/message-kind.ts';
import type { RawMessage } from '../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../jsonrpc/transport.ts';

/**
 * Returns the longest message, in bytes, that a client accepts, by its name in `initialize`; undefined for no
 * limit.
 */
export type MaxMessageBytes = (clientName: string) => number | undefined;

/**
 * Wraps a transport to a client that may close its whole connection over one long message. A long answer
 * becomes an error that says so, and a long list is sent in pages; clients without a limit get everything
 * unchanged.
 */
export function limitMessages(transport: Transport, maxBytes: MaxMessageBytes): Transport {
  return new LimitedTransport(transport, maxBytes);
}

/** Items of a list that the client has not fetched yet. */
interface RemainingItems {
  readonly cursor: string;
  readonly result: Buffer;
  readonly member: string;
  readonly items: readonly Span[];
}

class LimitedTransport implements Transport {
  readonly #transport: Transport;
  readonly #maxBytes: MaxMessageBytes;
  /** Methods of list requests in flight, by id. */
  readonly #listRequests = new Map<JsonRpcId, ListMethod>();
  /** Keyed by method. */
  readonly #remaining = new Map<string, RemainingItems>();
  #handlers: TransportHandlers | undefined;
  #limit: number | undefined;
  #cursors = 0;

  constructor(transport: Transport, longest: MaxMessageBytes) {
    this.#transport = transport;
    this.#maxBytes = longest;
  }

  start(handlers: TransportHandlers): Promise<void> {
    this.#handlers = handlers;
    return this.#transport.start({
      ...handlers,
      message: (message, relatedTo) => {
        if (!this.#answerNextPage(toRaw(message))) handlers.message(message, relatedTo);
      },
    });
  }

  send(message: WireMessage, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void> {
    const limit = this.#limit;
    if (limit === undefined) return this.#transport.send(message, relatedTo, urgent);
    const raw = toRaw(message);
    const method = this.#takeListMethod(raw);
    const size = raw.byteLength ?? raw.line().length;
    // The end of a message may arrive in one chunk with the start of the next.
    if (size <= limit - chunkBytes) return this.#transport.send(message, relatedTo, urgent);
    if (raw.kind === 'result' && method !== undefined) return this.#sendList(raw, method, limit);
    return this.#refuse(raw, size, limit);
  }

  get congestion(): Promise<void> | undefined {
    return this.#transport.congestion;
  }

  withdraw(message: WireMessage): boolean {
    return this.#transport.withdraw?.(message) ?? false;
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Observes the client's requests; returns true for the next page of a list, which is answered here. */
  #answerNextPage(message: RawMessage): boolean {
    if (message.kind !== 'request') return false;
    const { method, id } = message;
    if (method === 'initialize') this.#limit = this.#maxBytes(nameOf(message));
    if (this.#limit === undefined || !isId(id) || method === undefined || !isListMethod(method)) return false;
    const rest = this.#remaining.get(method);
    if (rest === undefined || message.params?.cursor !== rest.cursor) {
      this.#listRequests.set(id, method);
      return false;
    }
    this.#remaining.delete(method);
    this.#sendPage(message.idText, method, rest, this.#limit).catch(ignore);
    return true;
  }

  /** Returns the method of the list that this message answers. */
  #takeListMethod({ id, method }: RawMessage): ListMethod | undefined {
    if (method !== undefined || !isId(id) || this.#listRequests.size === 0) return undefined;
    const listed = this.#listRequests.get(id);
    this.#listRequests.delete(id);
    return listed;
  }

  #sendList(message: RawMessage, method: ListMethod, limit: number): Promise<void> {
    const result = readByteMessage(message.line())?.resultBytes ?? empty;
    const member = listKeys[method];
    const [list] = memberSpans(result, member);
    const items = list === undefined ? [] : elementSpans(result, list.start);
    return this.#sendPage(message.idText, method, { cursor: '', result, member, items }, limit);
  }

  /** Sends as many items as fit; an item that is too long by itself is left out. */
  #sendPage(
    idText: string,
    method: string,
    { result, member, items }: RemainingItems,
    limit: number,
  ): Promise<void> {
    const room = limit - chunkBytes - pageOverhead;
    const fitting = items.filter(({ start, end }) => end - start < room);
    let size = 0;
    const count = fitting.findIndex(({ start, end }) => {
      size += end - start + 1;
      return size > room;
    });
    const page = count === -1 ? fitting : fitting.slice(0, count);
    const texts = page.map(({ start, end }) => result.toString('utf8', start, end));
    let next = '';
    if (count !== -1) {
      this.#cursors += 1;
      const cursor = `patchbay-page-${this.#cursors}`;
      this.#remaining.set(method, { cursor, result, member, items: fitting.slice(count) });
      next = `,"nextCursor":"${cursor}"`;
    }
    const line = `{"jsonrpc":"2.0","id":${idText},"result":{"${member}":[${texts.join(',')}]${next}}}\n`;
    const answer = readByteMessage(Buffer.from(line));
    return answer === undefined ? Promise.resolve() : this.#transport.send(answer);
  }

  #refuse(message: RawMessage, size: number, limit: number): Promise<void> {
    const what = message.method === undefined ? 'The answer' : message.method;
    const sentence = `${what} is ${size} bytes long, but this client accepts no message over ${limit} bytes (${limit / 2 ** 20} MiB), so it was not sent. Ask for less data at once.`;
    const error = { code: rpcErrorCodes.internalError, message: sentence, data: { size, limit } };
    if (message.kind === 'notification') {
      this.#handlers?.noise?.(sentence);
      return Promise.resolve();
    }
    const text = `{"jsonrpc":"2.0","id":${message.idText},"error":${JSON.stringify(error)}}`;
    const refusal = readByteMessage(Buffer.from(text));
    if (refusal === undefined) return Promise.resolve();
    if (message.kind !== 'request') return this.#transport.send(refusal);
    this.#handlers?.message(refusal);
    return Promise.resolve();
  }
}

/** Most bytes that are read from a pipe at once. */
const chunkBytes = 64 * 1024;
/** Bytes reserved for the text around the items of a page. */
const pageOverhead = 64 * 1024;
const empty = Buffer.alloc(0);
const ignore = () => {};

function nameOf({ params }: RawMessage): string {
  const info = params?.clientInfo;
  const name = typeof info === 'object' && info !== null && 'name' in info ? info.name : undefined;
  return typeof name === 'string' ? name : '';
}
