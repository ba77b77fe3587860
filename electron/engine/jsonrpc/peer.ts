import { printJson } from '../../../shared/json.ts';
import { TransientMap } from '../base/transient-map.ts';
import { ambiguousResponse, errorResponseTo, invalidResponse } from './invalid-messages.ts';
import { ConnectionClosedError, type JsonRpcId, RpcError } from './message.ts';
import { isId, toOwnId, type UncheckedEnvelope } from './message-kind.ts';
import {
  createRequest,
  ignore,
  markHandled,
  type Outgoing,
  type OutgoingOwner,
  RawResponseRequest,
  ResponseMatcher,
  ValueRequest,
} from './outgoing-requests.ts';
import type { Peer, PeerHandlers, PendingRequest } from './peer-contract.ts';
import { closedError, toDeliveryError, toError } from './peer-errors.ts';
import { type ParamChanges, RawMessage, type RawNotification, type RawRequest } from './raw-message.ts';
import { toRaw, type WireMessage } from './read-message.ts';
import { toErrorResponse, toResponse } from './response.ts';
import type { Transport } from './transport.ts';

type Params = Readonly<Record<string, unknown>>;

/**
 * Creates one side of a JSON-RPC connection. Ids are integers that belong to this connection only. Each
 * request gets exactly one outcome: its response, the reason it was abandoned, or ConnectionClosedError. A
 * handler that resolves with undefined answers with `{}`. A response that cannot be delivered is dropped.
 * When messages forwarded from another connection pile up, that connection is paused.
 */
export function createPeer(transport: Transport, handlers: PeerHandlers): Peer {
  return new RpcPeer(transport, handlers);
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting'; readonly fail: (reason: Error) => void }
  | { readonly kind: 'open' }
  | { readonly kind: 'closed'; readonly reason: Error | undefined };

class RpcPeer implements Peer, OutgoingOwner {
  readonly #transport: Transport;
  readonly #handlers: PeerHandlers;
  readonly #pending = new TransientMap<number, Outgoing>();
  readonly #matcher = new ResponseMatcher();
  #state: State = { kind: 'idle' };
  #nextId = 1;
  #receivedCount = 0;
  #forwardedCount = 0;

  constructor(transport: Transport, handlers: PeerHandlers) {
    this.#transport = transport;
    this.#handlers = handlers;
  }

  get receivedCount(): number {
    return this.#receivedCount;
  }

  get forwardedCount(): number {
    return this.#forwardedCount;
  }

  start(): Promise<void> {
    if (this.#state.kind !== 'idle') return Promise.reject(this.#closedError(false));
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
    return markHandled(started);
  }

  request(method: string, params?: Params, relatedTo?: JsonRpcId): PendingRequest {
    const outgoing = new ValueRequest(this.#nextId++, this, false);
    const { id } = outgoing;
    this.#sendRequest(outgoing, createRequest(id, method, params), relatedTo);
    return outgoing;
  }

  requestRaw(method: string, params?: Params): PendingRequest<RawMessage> {
    const outgoing = new RawResponseRequest(this.#nextId++, this, false);
    this.#sendRequest(outgoing, createRequest(outgoing.id, method, params), undefined);
    return outgoing;
  }

  forward(
    request: RawMessage,
    changes: ParamChanges = {},
    relatedTo?: JsonRpcId,
  ): PendingRequest<RawMessage> {
    const outgoing = new RawResponseRequest(this.#nextId++, this, true);
    this.#sendRequest(outgoing, request.with({ id: String(outgoing.id), params: changes }), relatedTo);
    this.#pauseSource(request);
    return outgoing;
  }

  notify(method: string, params?: Params, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void> {
    const message: WireMessage =
      params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
    return this.#sendNotification(message, relatedTo, urgent);
  }

  forwardNotification(notification: RawMessage, relatedTo?: JsonRpcId): Promise<void> {
    const sent = this.#sendNotification(notification, relatedTo);
    this.#pauseSource(notification);
    return sent;
  }

  async close(): Promise<void> {
    try {
      await this.#transport.close();
    } finally {
      this.#end(undefined);
    }
  }

  forget(id: number): boolean {
    const outgoing = this.#removePending(id);
    this.#matcher.onAbandoned(outgoing);
    return outgoing !== undefined;
  }

  withdraw(message: WireMessage): boolean {
    return this.#transport.withdraw?.(message) ?? false;
  }

  /** Turns a synchronous exception into a rejection. */
  async #startTransport(): Promise<void> {
    await this.#transport.start({
      message: (message, relatedTo) => this.#receive(toRaw(message), relatedTo),
      noise: (text) => this.#handlers.noise?.(text),
      isBusy: () => this.#forwardedCount > 1,
      requestLost: (id, reason) => {
        const outgoing = this.#removePending(toOwnId(id));
        this.#matcher.onAbandoned(outgoing);
        outgoing?.reject(
          reason instanceof ConnectionClosedError
            ? reason
            : new ConnectionClosedError(reason.message, true, { cause: reason }),
        );
      },
      closed: (reason) => this.#end(reason),
    });
  }

  #sendRequest(outgoing: Outgoing, message: WireMessage, relatedTo: JsonRpcId | undefined): void {
    if (this.#state.kind !== 'open') {
      outgoing.reject(this.#closedError(false));
      return;
    }
    this.#pending.set(outgoing.id, outgoing);
    if (outgoing.isForwarded) this.#forwardedCount++;
    outgoing.message = message;
    this.#send(message, relatedTo).catch((error: unknown) => {
      this.#removePending(outgoing.id)?.reject(toDeliveryError(error));
    });
  }

  #sendNotification(message: WireMessage, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void> {
    if (this.#state.kind !== 'open') return markHandled(Promise.reject(this.#closedError(false)));
    this.#matcher.onNotificationSent(this.#nextId);
    return markHandled(this.#send(message, relatedTo, urgent));
  }

  #send(message: WireMessage, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void> {
    try {
      return this.#transport.send(message, relatedTo, urgent);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Pauses the message's source while this connection is congested. */
  #pauseSource({ source }: RawMessage): void {
    if (source === undefined) return;
    const { congestion } = this.#transport;
    if (congestion !== undefined) source.pauseUntil(congestion);
  }

  /** Checks the message, whose declared type cannot be trusted. */
  #receive(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    if (this.#state.kind === 'closed') return;
    if (message.kind !== 'noise' && message.kind !== 'invalid') this.#receivedCount++;
    switch (message.kind) {
      case 'request':
        this.#handleRequest(message as RawRequest, relatedTo);
        break;
      case 'notification':
        this.#handleNotification(message as RawNotification, relatedTo);
        break;
      case 'result':
      case 'failure':
        this.#handleResponse(message, relatedTo);
        break;
      case 'invalid':
        this.#receiveInvalid(message.value);
        break;
      case 'noise':
        this.#noise(message.value);
    }
  }

  #handleResponse(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    const id = toOwnId(message.id) ?? this.#findRequest(message, relatedTo);
    const outgoing = this.#removePending(id);
    if (outgoing === undefined) this.#handleUnmatched(message, id);
    else if (message.kind === 'result') outgoing.onResult(message);
    else outgoing.onError(message);
    this.#matcher.onResponse(id);
  }

  /** Reports a response that nobody waits for: late if the request existed, noise otherwise. */
  #handleUnmatched(message: RawMessage, id = 0): void {
    if (id > 0 && id < this.#nextId) this.#handlers.lateResponse?.(id);
    else if (message.id === null) this.#noise(message.value);
    else this.#handlers.noise?.(`Response with the unknown id ${message.idText.slice(0, 100)}`);
  }

  /** Finds the request that a response without an id belongs to, if that is certain. */
  #findRequest(message: RawMessage, relatedTo: JsonRpcId | undefined): number | undefined {
    if (isId(message.id)) return undefined;
    const method = message.kind === 'result' ? this.#handlers.methodOf?.(message.result) : undefined;
    if (method !== undefined) return this.#findRequestOfMethod(method, toOwnId(relatedTo));
    const related = message.kind === 'failure' ? toOwnId(relatedTo) : undefined;
    return related ?? this.#matcher.onlyCandidate(this.#pending);
  }

  /**
   * Rejects all candidates if there are several, because it is unknown which of them the response was for.
   */
  #findRequestOfMethod(method: string, related: number | undefined): number | undefined {
    const ids = this.#matcher.candidates(this.#pending, method);
    if (related !== undefined && ids.includes(related)) return related;
    const [first] = ids;
    if (ids.length === 1 && first !== undefined) return first;
    for (const id of ids) {
      const outgoing = this.#removePending(id);
      this.#matcher.onAbandoned(outgoing);
      outgoing?.reject(new RpcError(ambiguousResponse));
    }
    this.#matcher.onResponse(first);
    return undefined;
  }

  #handleRequest(request: RawRequest, relatedTo: JsonRpcId | undefined): void {
    this.#callHandler(request, relatedTo).then(
      (result) => this.#sendResult(request, result),
      (error: unknown) => this.#sendError(request, error),
    );
  }

  /** Turns a synchronous exception into a rejection. */
  #callHandler(request: RawRequest, relatedTo: JsonRpcId | undefined): Promise<unknown> {
    try {
      return this.#handlers.request(request, relatedTo);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #sendResult(request: RawRequest, result: unknown): void {
    if (this.#state.kind === 'closed') return;
    const sent = this.#send(this.#toResponse(request, result));
    if (result instanceof RawMessage) this.#pauseSource(result);
    sent.catch((error: unknown) => {
      // The other side must not be left waiting for a response that cannot be serialized (a cycle, say).
      if (!toDeliveryError(error).sent) this.#sendError(request, error);
    });
  }

  #toResponse(request: RawRequest, result: unknown): WireMessage {
    try {
      return toResponse(request, result);
    } catch (error) {
      return toErrorResponse(request, error);
    }
  }

  #sendError(request: RawRequest, error: unknown): void {
    if (this.#state.kind !== 'closed') this.#send(toErrorResponse(request, error)).catch(ignore);
  }

  #handleNotification(notification: RawNotification, relatedTo: JsonRpcId | undefined): void {
    try {
      this.#handlers.notification(notification, relatedTo);
    } catch (error) {
      this.#handlers.noise?.(`The handler of ${notification.method} failed: ${toError(error).message}`);
    }
  }

  /**
   * Refuses invalid requests, rejects the request that an invalid response belongs to, and reports everything
   * else as noise.
   */
  #receiveInvalid(message: unknown): void {
    const parts: readonly UncheckedEnvelope[] = Array.isArray(message) ? message : [message];
    let isHandled = false;
    for (const part of parts) isHandled = this.#handleInvalidPart(part) || isHandled;
    if (!isHandled) this.#noise(message);
  }

  #handleInvalidPart(part: UncheckedEnvelope | null): boolean {
    if (part?.method === undefined && this.#rejectAnswered(part)) return true;
    const refusal = errorResponseTo(part);
    if (refusal !== undefined) this.#send(refusal).catch(ignore);
    return refusal !== undefined;
  }

  /** Rejects the request of ours that got an invalid response. Returns false if there is no such request. */
  #rejectAnswered(answer: UncheckedEnvelope | null): boolean {
    const outgoing = this.#removePending(toOwnId(answer?.id));
    outgoing?.reject(new RpcError(invalidResponse(answer)));
    return outgoing !== undefined;
  }

  #removePending(id: number | undefined): Outgoing | undefined {
    const outgoing = id === undefined ? undefined : this.#pending.get(id);
    if (outgoing !== undefined) this.#pending.delete(outgoing.id);
    if (outgoing?.isForwarded && --this.#forwardedCount === 0) this.#handlers.idle?.();
    return outgoing;
  }

  #noise(message: unknown): void {
    this.#handlers.noise?.((printJson(message) ?? 'A message that is nested too deeply').slice(0, 4096));
  }

  #closedError(sent: boolean): ConnectionClosedError {
    const state = this.#state;
    return state.kind === 'closed'
      ? closedError(state.reason, true, sent)
      : closedError(undefined, false, sent);
  }

  #end(reason: Error | undefined): void {
    const before = this.#state;
    if (before.kind === 'closed') return;
    this.#state = { kind: 'closed', reason };
    for (const id of this.#pending.keys()) this.#removePending(id)?.reject(this.#closedError(true));
    if (before.kind === 'starting') before.fail(reason ?? this.#closedError(false));
    else if (before.kind === 'open') this.#handlers.closed(reason);
  }
}
