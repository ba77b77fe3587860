import { printJson } from '../../../shared/json.ts';
import { answerWith, refuseWith } from './answer.ts';
import { IdTable } from './id-table.ts';
import { ConnectionClosedError, type JsonRpcId, RpcError } from './message.ts';
import { isId, type LooseEnvelope, ownId } from './message-kind.ts';
import {
  Attribution,
  handled,
  ignore,
  type Outgoing,
  type OutgoingOwner,
  OwnRequest,
  RawAnswerRequest,
  requestOf,
} from './outgoing.ts';
import type { Peer, PeerHandlers, PendingRequest } from './peer-contract.ts';
import { closedError, toError, undeliverable } from './peer-errors.ts';
import { type ParamChanges, RawMessage, type RawNotification, type RawRequest } from './raw-message.ts';
import { toRaw, type WireMessage } from './read-message.ts';
import { invalidAnswer, refusalOf, unclearAnswer } from './refusal.ts';
import { SENT, type Transport } from './transport.ts';

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
  readonly #pending = new IdTable<Outgoing>();
  readonly #attribution = new Attribution();
  #state: State = { kind: 'idle' };
  #nextId = 1;
  #received = 0;
  #underway = 0;

  constructor(transport: Transport, handlers: PeerHandlers) {
    this.#transport = transport;
    this.#handlers = handlers;
  }

  get received(): number {
    return this.#received;
  }

  get underway(): number {
    return this.#underway;
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
    return handled(started);
  }

  request(method: string, params?: Params, relatedTo?: JsonRpcId): PendingRequest {
    const outgoing = new OwnRequest(this.#nextId++, this, false);
    const { id } = outgoing;
    this.#ask(outgoing, requestOf(id, method, params), relatedTo);
    return outgoing;
  }

  ask(method: string, params?: Params): PendingRequest<RawMessage> {
    const outgoing = new RawAnswerRequest(this.#nextId++, this, false);
    this.#ask(outgoing, requestOf(outgoing.id, method, params), undefined);
    return outgoing;
  }

  forward(
    request: RawMessage,
    changes: ParamChanges = {},
    relatedTo?: JsonRpcId,
  ): PendingRequest<RawMessage> {
    const outgoing = new RawAnswerRequest(this.#nextId++, this, true);
    this.#ask(outgoing, request.with({ id: String(outgoing.id), params: changes }), relatedTo);
    this.#holdBack(request);
    return outgoing;
  }

  notify(method: string, params?: Params, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void> {
    const message: WireMessage =
      params === undefined ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params };
    return this.#tell(message, relatedTo, urgent);
  }

  relay(notification: RawMessage, relatedTo?: JsonRpcId): Promise<void> {
    const sent = this.#tell(notification, relatedTo);
    this.#holdBack(notification);
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
    const outgoing = this.#take(id);
    this.#attribution.abandoned(outgoing);
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
      isBusy: () => this.#underway > 1,
      lost: (id, reason) => {
        const outgoing = this.#take(ownId(id));
        this.#attribution.abandoned(outgoing);
        outgoing?.reject(
          reason instanceof ConnectionClosedError
            ? reason
            : new ConnectionClosedError(reason.message, true, { cause: reason }),
        );
      },
      closed: (reason) => this.#end(reason),
    });
  }

  #ask(outgoing: Outgoing, message: WireMessage, relatedTo: JsonRpcId | undefined): void {
    if (this.#state.kind !== 'open') {
      outgoing.reject(this.#closedError(false));
      return;
    }
    this.#pending.set(outgoing);
    if (outgoing.isForwarded) this.#underway++;
    outgoing.message = message;
    const sent = this.#send(message, relatedTo);
    if (sent !== SENT) sent.catch((error: unknown) => this.#take(outgoing.id)?.reject(undeliverable(error)));
  }

  #tell(message: WireMessage, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void> {
    if (this.#state.kind !== 'open') return handled(Promise.reject(this.#closedError(false)));
    this.#attribution.notified(this.#nextId);
    return handled(this.#send(message, relatedTo, urgent));
  }

  #send(message: WireMessage, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void> {
    try {
      return this.#transport.send(message, relatedTo, urgent);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** Pauses the message's source while this connection is congested. */
  #holdBack({ source }: RawMessage): void {
    if (source === undefined) return;
    const { congestion } = this.#transport;
    if (congestion !== undefined) source.hold(congestion);
  }

  /** Checks the message, whose declared type cannot be trusted. */
  #receive(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    if (this.#state.kind === 'closed') return;
    if (message.kind !== 'noise' && message.kind !== 'invalid') this.#received++;
    switch (message.kind) {
      case 'request':
        this.#answer(message as RawRequest, relatedTo);
        break;
      case 'notification':
        this.#notified(message as RawNotification, relatedTo);
        break;
      case 'result':
      case 'failure':
        this.#answered(message, relatedTo);
        break;
      case 'invalid':
        this.#receiveInvalid(message.value);
        break;
      case 'noise':
        this.#noise(message.value);
    }
  }

  #answered(message: RawMessage, relatedTo: JsonRpcId | undefined): void {
    const id = ownId(message.id) ?? this.#meantBy(message, relatedTo);
    const outgoing = this.#take(id);
    if (outgoing === undefined) this.#answeredNobody(message, id);
    else if (message.kind === 'result') outgoing.answered(message);
    else outgoing.refused(message);
    this.#attribution.answered(id);
  }

  /** Reports a response that nobody waits for: late if the request existed, noise otherwise. */
  #answeredNobody(message: RawMessage, id = 0): void {
    if (id > 0 && id < this.#nextId) this.#handlers.late?.(id);
    else if (message.id === null) this.#noise(message.value);
    else this.#handlers.noise?.(`Response with the unknown id ${message.idText.slice(0, 100)}`);
  }

  /** Finds the request that a response without an id belongs to, if that is certain. */
  #meantBy(message: RawMessage, relatedTo: JsonRpcId | undefined): number | undefined {
    if (isId(message.id)) return undefined;
    const method = message.kind === 'result' ? this.#handlers.methodOf?.(message.result) : undefined;
    if (method !== undefined) return this.#meantAmong(method, ownId(relatedTo));
    const related = message.kind === 'failure' ? ownId(relatedTo) : undefined;
    return related ?? this.#attribution.only(this.#pending);
  }

  /**
   * Rejects all candidates if there are several, because it is unknown which of them the response was for.
   */
  #meantAmong(method: string, related: number | undefined): number | undefined {
    const ids = this.#attribution.among(this.#pending, method);
    if (related !== undefined && ids.includes(related)) return related;
    const [first] = ids;
    if (ids.length === 1 && first !== undefined) return first;
    for (const id of ids) {
      const outgoing = this.#take(id);
      this.#attribution.abandoned(outgoing);
      outgoing?.reject(new RpcError(unclearAnswer));
    }
    this.#attribution.answered(first);
    return undefined;
  }

  #answer(request: RawRequest, relatedTo: JsonRpcId | undefined): void {
    this.#outcome(request, relatedTo).then(
      (result) => this.#reply(request, result),
      (error: unknown) => this.#refuseRequest(request, error),
    );
  }

  /** Turns a synchronous exception into a rejection. */
  #outcome(request: RawRequest, relatedTo: JsonRpcId | undefined): Promise<unknown> {
    try {
      return this.#handlers.request(request, relatedTo);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #reply(request: RawRequest, result: unknown): void {
    if (this.#state.kind === 'closed') return;
    const sent = this.#send(this.#written(request, result));
    if (result instanceof RawMessage) this.#holdBack(result);
    if (sent === SENT) return;
    sent.catch((error: unknown) => {
      // The other side must not be left waiting for a response that cannot be serialized (a cycle, say).
      if (!undeliverable(error).sent) this.#refuseRequest(request, error);
    });
  }

  #written(request: RawRequest, result: unknown): WireMessage {
    try {
      return answerWith(request, result);
    } catch (error) {
      return refuseWith(request, error);
    }
  }

  #refuseRequest(request: RawRequest, error: unknown): void {
    if (this.#state.kind !== 'closed') this.#send(refuseWith(request, error)).catch(ignore);
  }

  #notified(notification: RawNotification, relatedTo: JsonRpcId | undefined): void {
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
    const parts: readonly LooseEnvelope[] = Array.isArray(message) ? message : [message];
    let attributed = false;
    for (const part of parts) attributed = this.#refuse(part) || attributed;
    if (!attributed) this.#noise(message);
  }

  #refuse(part: LooseEnvelope | null): boolean {
    if (part?.method === undefined && this.#fail(part)) return true;
    const refusal = refusalOf(part);
    if (refusal !== undefined) this.#send(refusal).catch(ignore);
    return refusal !== undefined;
  }

  /** Rejects the request of ours that got an invalid response. Returns false if there is no such request. */
  #fail(answer: LooseEnvelope | null): boolean {
    const outgoing = this.#take(ownId(answer?.id));
    outgoing?.reject(new RpcError(invalidAnswer(answer)));
    return outgoing !== undefined;
  }

  #take(id: number | undefined): Outgoing | undefined {
    const outgoing = id === undefined ? undefined : this.#pending.take(id);
    if (outgoing?.isForwarded && --this.#underway === 0) this.#handlers.quiet?.();
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
    for (const { id } of this.#pending.all()) this.#take(id)?.reject(this.#closedError(true));
    if (before.kind === 'starting') before.fail(reason ?? this.#closedError(false));
    else if (before.kind === 'open') this.#handlers.closed(reason);
  }
}
