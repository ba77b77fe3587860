import type { Clock } from '../../base/clock.ts';
import { type JsonRpcId, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type { RawMessage } from '../../jsonrpc/raw-message.ts';
import { toRaw, type WireMessage } from '../../jsonrpc/read-message.ts';
import type { Transport, TransportHandlers } from '../../jsonrpc/transport.ts';
import { type ClientRequestHandle, ClientTranslator } from './client-translator.ts';
import { withoutHopKeys } from './edit-message.ts';
import { isEnveloped, supportedVersions } from './envelope.ts';
import type { EraSetting } from './era.ts';
import { unsupportedVersion } from './protocol.ts';

export interface ClientEraOptions {
  readonly clock: Clock;
  /** Default: `auto`. */
  readonly setting?: EraSetting | undefined;
}

/**
 * Lets a client of either era use a session over one pipe. Its first message shows the era, but for
 * `server/discover`, after which a client may still send `initialize`. A client with a session costs nothing
 * after that.
 */
export class ClientEraTransport implements Transport {
  readonly #inner: Transport;
  readonly #options: ClientEraOptions;
  readonly #requests = new Map<JsonRpcId, ClientRequestHandle>();
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
    if (this.#era !== 'legacy' && this.#translator !== undefined)
      return this.#translator.send(message, relatedTo);
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

  /** Returns false for a message of a client with a session. */
  #takeAsModern(message: RawMessage, handlers: TransportHandlers): boolean {
    const { kind, method } = message;
    if (isEnveloped(message)) {
      // A notification decides nothing, and the translator needs none.
      if (kind === 'request') this.#takeModern(message, handlers);
      return true;
    }
    const isModern = this.#translator !== undefined || this.#options.setting === 'modern';
    if (isModern && method === 'notifications/cancelled') {
      this.#cancel(message.params);
      return true;
    }
    if (kind !== 'request') return isModern && kind === 'notification';
    const mayInitialize = this.#era === 'unknown' && this.#options.setting !== 'modern';
    // Without its envelope even the first question of a modern client is wrong.
    const isRefused = method === 'initialize' ? !mayInitialize : isModern || method === 'server/discover';
    if (isRefused) this.#refuse(message);
    else if (method === 'initialize') this.#era = 'legacy';
    return isRefused;
  }

  #takeModern(message: RawMessage, handlers: TransportHandlers): void {
    if (message.method !== 'server/discover') this.#era = 'modern';
    const translator = this.#translator ?? this.#openTranslator(handlers);
    const id = message.id ?? 0;
    const channel = {
      send: (answer: WireMessage) => {
        if (toRaw(answer).method === undefined) this.#requests.delete(id);
        return this.#inner.send(answer);
      },
    };
    const handle = translator.request(message, channel);
    if (handle !== undefined) this.#requests.set(id, handle);
  }

  #openTranslator(handlers: TransportHandlers): ClientTranslator {
    const translator = new ClientTranslator({ clock: this.#options.clock });
    this.#translator = translator;
    // The end of the pipe is reported by the pipe itself.
    void translator.start({ ...handlers, closed: () => {} });
    return translator;
  }

  #cancel(params: Readonly<Record<string, unknown>> | undefined): void {
    const id = params?.requestId as JsonRpcId;
    const handle = this.#requests.get(id);
    this.#requests.delete(id);
    handle?.cancel(params?.reason);
  }

  #refuse({ id, method, params }: RawMessage): void {
    const error =
      method === 'initialize'
        ? unsupportedVersion(params?.protocolVersion, supportedVersions.slice(0, 1))
        : { code: rpcErrorCodes.invalidParams, message: `${method} came without the envelope in _meta` };
    this.#inner.send(toRaw({ jsonrpc: '2.0', id: id ?? null, error })).catch(() => {});
  }
}
