import {
  ConnectionClosedError,
  type JsonRpcErrorObject,
  type JsonRpcFailure,
  type JsonRpcId,
  type JsonRpcMessage,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type JsonRpcResult,
  RpcError,
  rpcErrorCodes,
} from './message.ts';
import { isId, type LooseEnvelope, messageKind } from './message-kind.ts';
import { handled, Outgoing } from './outgoing.ts';
import type { Peer, PeerHandlers, PendingRequest } from './peer-contract.ts';
import type { Transport } from './transport.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * One side of a JSON-RPC connection over `transport`. Ids are integers of its own, so that two legs never share one.
 * Each request gets exactly one outcome: the answer, the reason it was abandoned, or ConnectionClosedError.
 * A handler that resolves with undefined answers with `{}`. An answer that cannot be delivered is dropped.
 */
export function createPeer(transport: Transport, handlers: PeerHandlers): Peer {
  return new RpcPeer(transport, handlers);
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting'; readonly fail: (reason: Error) => void }
  | { readonly kind: 'open' }
  | { readonly kind: 'closed'; readonly reason: Error | undefined };

class RpcPeer implements Peer {
  readonly #transport: Transport;
  readonly #handlers: PeerHandlers;
  /** Keyed by number: an answer that turns an id into text matches nothing. */
  readonly #pending = new Map<JsonRpcId, Outgoing>();
  readonly #forget = (id: JsonRpcId): boolean => this.#pending.delete(id);
  #state: State = { kind: 'idle' };
  #nextId = 1;

  constructor(transport: Transport, handlers: PeerHandlers) {
    this.#transport = transport;
    this.#handlers = handlers;
  }

  start(): Promise<void> {
    if (this.#state.kind !== 'idle') return Promise.reject(closedError(this.#state, false));
    const started = new Promise<void>((resolve, reject) => {
      this.#state = { kind: 'starting', fail: reject };
      this.#startTransport().then(
        () => {
          if (this.#state.kind === 'starting') this.#state = { kind: 'open' };
          resolve();
        },
        (error: unknown) => this.#end(toError(error)),
      );
    });
    return handled(started);
  }

  request(method: string, params?: Params, relatedTo?: JsonRpcId): PendingRequest {
    const outgoing = new Outgoing(this.#nextId++, this.#forget);
    if (this.#state.kind !== 'open') {
      outgoing.reject(closedError(this.#state, false));
      return outgoing;
    }
    this.#pending.set(outgoing.id, outgoing);
    const { id } = outgoing;
    const message: JsonRpcRequest =
      params === undefined ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params };
    this.#send(message, relatedTo).catch((error: unknown) => {
      if (this.#pending.delete(id)) outgoing.reject(undeliverable(error));
    });
    return outgoing;
  }

  notify(method: string, params?: Params, relatedTo?: JsonRpcId): Promise<void> {
    if (this.#state.kind !== 'open') return handled(Promise.reject(closedError(this.#state, false)));
    const message: JsonRpcNotification =
      params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
    return handled(this.#send(message, relatedTo));
  }

  async close(): Promise<void> {
    try {
      await this.#transport.close();
    } finally {
      this.#end(undefined);
    }
  }

  /** As a promise even where the transport throws at once. */
  async #startTransport(): Promise<void> {
    await this.#transport.start({
      message: (message, relatedTo) => this.#receive(message, relatedTo),
      noise: (text) => this.#handlers.noise?.(text),
      lost: (id, reason) =>
        this.#take(id)?.reject(new ConnectionClosedError(reason.message, true, { cause: reason })),
      closed: (reason) => this.#end(reason),
    });
  }

  #send(message: JsonRpcMessage, relatedTo?: JsonRpcId): Promise<void> {
    try {
      return this.#transport.send(message, relatedTo);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The message is what arrived, whatever its type claims; this is where it is checked. */
  #receive(message: JsonRpcMessage, relatedTo?: JsonRpcId): void {
    if (this.#state.kind === 'closed') return;
    switch (messageKind(message)) {
      case 'request':
        void this.#answer(message as JsonRpcRequest, relatedTo);
        break;
      case 'notification':
        this.#notified(message as JsonRpcNotification, relatedTo);
        break;
      case 'result':
        this.#take((message as JsonRpcResult).id)?.resolve((message as JsonRpcResult).result);
        break;
      case 'failure':
        this.#take((message as JsonRpcFailure).id)?.reject(new RpcError((message as JsonRpcFailure).error));
        break;
      case 'invalid':
        this.#receiveInvalid(message);
        break;
      case 'noise':
        this.#noise(message);
    }
  }

  async #answer(request: JsonRpcRequest, relatedTo?: JsonRpcId): Promise<void> {
    const { id } = request;
    const answer = await this.#outcome(request, relatedTo);
    try {
      await this.#reply(answer);
    } catch (error) {
      // An answer that cannot be written (a cycle, say) must not leave the other side waiting.
      if (undeliverable(error).sent) return;
      await this.#reply({ jsonrpc: '2.0', id, error: internalError(error) }).catch(ignore);
    }
  }

  async #outcome(request: JsonRpcRequest, relatedTo?: JsonRpcId): Promise<JsonRpcMessage> {
    const { id } = request;
    try {
      const result = await this.#handlers.request(request, relatedTo);
      return { jsonrpc: '2.0', id, result: result ?? {} };
    } catch (error) {
      return {
        jsonrpc: '2.0',
        id,
        error: error instanceof RpcError ? error.toObject() : internalError(error),
      };
    }
  }

  async #reply(message: JsonRpcMessage): Promise<void> {
    if (this.#state.kind !== 'closed') await this.#send(message);
  }

  #notified(notification: JsonRpcNotification, relatedTo?: JsonRpcId): void {
    try {
      this.#handlers.notification(notification, relatedTo);
    } catch (error) {
      this.#handlers.noise?.(`The handler of ${notification.method} failed: ${toError(error).message}`);
    }
  }

  /** A broken request is told so; a broken answer settles what it answers; what can be attributed to nothing is noise. */
  #receiveInvalid(message: unknown): void {
    const parts: readonly LooseEnvelope[] = Array.isArray(message) ? message : [message];
    let attributed = false;
    for (const part of parts) attributed = this.#refuse(part) || attributed;
    if (!attributed) this.#noise(message);
  }

  #refuse(part: LooseEnvelope | null): boolean {
    const id = part?.id;
    if (!isId(id)) return false;
    const error = { code: rpcErrorCodes.invalidRequest, message: 'Invalid Request' };
    const isAnswer = part?.method === undefined && (part?.result !== undefined || part?.error !== undefined);
    if (!isAnswer) {
      this.#reply({ jsonrpc: '2.0', id, error }).catch(ignore);
      return true;
    }
    const outgoing = this.#take(id);
    outgoing?.reject(new RpcError({ ...error, message: 'The answer is not a valid JSON-RPC message' }));
    return outgoing !== undefined;
  }

  #take(id: JsonRpcId | null | undefined): Outgoing | undefined {
    if (id === null || id === undefined) return undefined;
    const outgoing = this.#pending.get(id);
    this.#pending.delete(id);
    return outgoing;
  }

  #noise(message: unknown): void {
    this.#handlers.noise?.(String(JSON.stringify(message)).slice(0, 4096));
  }

  #end(reason: Error | undefined): void {
    const before = this.#state;
    if (before.kind === 'closed') return;
    const state: State = { kind: 'closed', reason };
    this.#state = state;
    for (const outgoing of this.#pending.values()) outgoing.reject(closedError(state, true));
    this.#pending.clear();
    if (before.kind === 'starting') before.fail(reason ?? closedError(state, false));
    else if (before.kind === 'open') this.#handlers.closed(reason);
  }
}

function ignore(): void {}

function closedError(state: State, sent: boolean): ConnectionClosedError {
  if (state.kind !== 'closed') return new ConnectionClosedError('The connection is not open', sent);
  const { reason } = state;
  if (reason === undefined) return new ConnectionClosedError('The connection is closed', sent);
  return new ConnectionClosedError(`The connection is closed: ${reason.message}`, sent, { cause: reason });
}

/** What a failed send means for its request; unless the transport knows better, it may have left. */
function undeliverable(error: unknown): ConnectionClosedError {
  if (error instanceof ConnectionClosedError) return error;
  return new ConnectionClosedError('The request could not be sent', true, { cause: error });
}

function internalError(error: unknown): JsonRpcErrorObject {
  return { code: rpcErrorCodes.internalError, message: toError(error).message };
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
