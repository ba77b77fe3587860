import { isRecord } from '../../../../../shared/json.ts';
import type { Clock } from '../../../base/clock.ts';
import { TransientSet } from '../../../base/transient-map.ts';
import { errorResponseTo } from '../../../jsonrpc/invalid-messages.ts';
import { readMember } from '../../../jsonrpc/json/edit-json.ts';
import { type JsonRpcId, RpcError, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import type { RawMessage } from '../../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../../jsonrpc/read-message.ts';
import { toErrorResponse } from '../../../jsonrpc/response.ts';
import type { Transport, TransportHandlers } from '../../../jsonrpc/transport.ts';
import { withoutHopKeys } from '../edit-message.ts';
import { isEnveloped, supportedVersions } from '../envelope.ts';
import type { EraSetting } from '../era.ts';
import { unsupportedVersion } from '../protocol.ts';
import { type ClientRequestHandle, ClientTranslator } from './client-translator.ts';

export interface ClientEraOptions {
  readonly clock: Clock;
  /** Default: `auto`. */
  readonly setting?: EraSetting | undefined;
}

/** A request that is being answered. */
interface OpenRequest {
  /** As JSON. */
  readonly id: string;
  readonly handle: ClientRequestHandle;
}

/**
 * Lets a client of either era use a session over one pipe. Its first message shows the era, but for
 * `server/discover`, after which a client may still send `initialize`. A client with a session costs nothing
 * after that.
 */
export class ClientEraTransport implements Transport {
  readonly #inner: Transport;
  readonly #options: ClientEraOptions;
  readonly #requests = new TransientSet<OpenRequest>();
  #era: 'unknown' | 'modern' | 'legacy' = 'unknown';
  #translator: ClientTranslator | undefined;

  constructor(inner: Transport, options: ClientEraOptions) {
    this.#inner = inner;
    this.#options = options;
    if (options.setting === 'legacy') this.#era = 'legacy';
  }

  start(handlers: TransportHandlers): Promise<void> {
    return this.#inner.start({
      ...handlers,
      message: (message, relatedTo) => this.#receive(message, handlers, relatedTo),
      closed: (reason) => {
        void this.#translator?.close();
        handlers.closed(reason);
      },
    });
  }

  send(message: WireMessage, relatedTo?: JsonRpcId, urgent?: boolean): Promise<void> {
    const translator = this.#translator;
    if (translator !== undefined && this.#isForTranslator(toRaw(message), translator))
      return translator.send(message, relatedTo);
    return this.#inner.send(withoutHopKeys(message), relatedTo, urgent);
  }

  get congestion(): Promise<void> | undefined {
    return this.#inner.congestion;
  }

  withdraw(message: WireMessage): boolean {
    return this.#inner.withdraw?.(message) ?? false;
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  #receive(wire: WireMessage, handlers: TransportHandlers, relatedTo: JsonRpcId | undefined): void {
    const message = this.#era === 'legacy' ? undefined : toRaw(wire);
    if (message === undefined || !this.#takeAsModern(message, handlers)) handlers.message(wire, relatedTo);
  }

  /** Answers go where their request came from: the client may have sent some before it showed its era. */
  #isForTranslator(message: RawMessage, translator: ClientTranslator): boolean {
    return message.method === undefined ? translator.isAnswered(message) : this.#era !== 'legacy';
  }

  /** Returns false for a message of a client with a session. */
  #takeAsModern(message: RawMessage, handlers: TransportHandlers): boolean {
    const { kind, method } = message;
    if (kind === 'invalid' || kind === 'noise') return this.#takeInvalid(message);
    const isModern = this.#translator !== undefined || this.#options.setting === 'modern';
    if (isModern && method === 'notifications/cancelled') {
      this.#cancel(message);
      return true;
    }
    if (isEnveloped(message)) {
      // Notifications do not show the era, and the translator needs only the cancellation above.
      if (kind === 'request') this.#takeModern(message, handlers);
      return true;
    }
    if (kind !== 'request') return isModern && kind === 'notification';
    const mayInitialize = this.#era === 'unknown' && this.#options.setting !== 'modern';
    // A modern client sends an envelope with each request, `server/discover` included.
    const isRefused = method === 'initialize' ? !mayInitialize : isModern || method === 'server/discover';
    if (isRefused) this.#refuse(message);
    else if (method === 'initialize') this.#era = 'legacy';
    return isRefused;
  }

  /** Answers an invalid message itself: a modern client does not know the ids of the session behind it. */
  #takeInvalid(message: RawMessage): boolean {
    if (this.#translator === undefined || message.kind === 'noise') return false;
    const parts: readonly unknown[] = Array.isArray(message.value) ? message.value : [message.value];
    for (const part of parts) {
      const refusal = isRecord(part) ? errorResponseTo(part) : undefined;
      if (refusal !== undefined) this.#inner.send(refusal).catch(() => {});
    }
    return true;
  }

  #takeModern(message: RawMessage, handlers: TransportHandlers): void {
    if (message.method !== 'server/discover') this.#era = 'modern';
    const translator = this.#translator ?? this.#openTranslator(handlers);
    let open: OpenRequest | undefined;
    let isAnswered = false;
    const channel = {
      send: (answer: WireMessage) => {
        isAnswered ||= toRaw(answer).method === undefined;
        if (open !== undefined && isAnswered) this.#requests.delete(open);
        return this.#inner.send(answer);
      },
    };
    const handle = translator.request(message, channel);
    // The answer to a call that comes back may have been waiting for it.
    if (handle === undefined || isAnswered) return;
    open = { id: message.idText, handle };
    this.#requests.add(open);
  }

  #openTranslator(handlers: TransportHandlers): ClientTranslator {
    const translator = new ClientTranslator({ clock: this.#options.clock });
    this.#translator = translator;
    // The end of the pipe is reported by the pipe itself.
    void translator.start({ ...handlers, closed: () => {} });
    return translator;
  }

  /** Cancels the request that a notification names, unless that is not certain. */
  #cancel(notification: RawMessage): void {
    const id = readMember(notification.line(), ['params', 'requestId'])?.toString('utf8');
    const [found, ...others] = this.#requests.values().filter((request) => request.id === id);
    if (found === undefined || others.length > 0) return;
    this.#requests.delete(found);
    found.handle.cancel(notification.params?.reason);
  }

  #refuse(request: RawMessage): void {
    const { method, params } = request;
    const error =
      method === 'initialize'
        ? unsupportedVersion(params?.protocolVersion, supportedVersions.slice(0, 1))
        : { code: rpcErrorCodes.invalidParams, message: `${method} came without the envelope in _meta` };
    this.#inner.send(toErrorResponse(request, new RpcError(error))).catch(() => {});
  }
}
