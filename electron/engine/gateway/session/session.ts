import { randomUUID } from 'node:crypto';
import type { ClientView } from '../../../../shared/model/client/client.ts';
import { heldListsMethod } from '../../../../shared/schema/bridge-hello.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { ListKind } from '../../catalogue/contract.ts';
import { strictMessage } from '../../catalogue/strict/strict-message.ts';
import { strictResponse } from '../../catalogue/strict/strict-response.ts';
import type { JsonRpcNotification, RpcError } from '../../jsonrpc/message.ts';
import { isId } from '../../jsonrpc/message-kind.ts';
import { createPeer } from '../../jsonrpc/peer.ts';
import type { Peer, PeerHandlers } from '../../jsonrpc/peer-contract.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import type { ActiveCalls } from '../../routing/active-calls.ts';
import type { Caller, SessionEndpoint } from '../../routing/server-requests/contract.ts';
import { SessionCatalogue } from './catalogue/session-catalogue.ts';
import {
  ClientHandshake,
  type ClientInitializeParams,
  readInitializeParams,
  toServerParams,
} from './client-handshake.ts';
import { type ClientRequests, createClientRequests } from './client-requests.ts';
import type {
  RecordedSession,
  Session,
  SessionConnection,
  SessionServices,
  SessionSnapshot,
} from './session-contract.ts';
import { hubClosed, notInitialized } from './session-errors.ts';
import { SessionNotifications } from './session-notifications.ts';
import { SessionRequests } from './session-requests.ts';
import { sessionSnapshot, sessionView } from './session-view.ts';

type Options = SessionServices & SessionConnection;

/** Creates a client's session, which neither answers nor sends anything before {@link Session.start}. */
export function createSession(options: Options): Session {
  return new ClientSession(options);
}

class ClientSession implements Session {
  readonly id: string;
  readonly #options: Options;
  readonly #activity: { readonly connectedAt: number; calls: number; lastActiveAt: number };
  readonly #handshake: ClientHandshake;
  readonly #catalogue: SessionCatalogue;
  readonly #peer: Peer;
  readonly #clientRequests: ClientRequests;
  readonly #notifications: SessionNotifications;
  readonly #caller: Caller;
  readonly #endpoint: SessionEndpoint;
  readonly #requests: SessionRequests;
  readonly #subscriptions: readonly Disposable[];
  readonly #ended = new AbortController();
  readonly #changed = new Emitter<void>();
  readonly #closed = new Emitter<void>();
  readonly onChange = this.#changed.event;
  readonly onClosed = this.#closed.event;

  /** Nothing is received before the peer is started, so its handlers may use what is created after it. */
  constructor(options: Options) {
    const { clock, log, bridge, transport, profiles } = options;
    const { signal: ended } = this.#ended;
    const sessionId = bridge?.session ?? randomUUID();
    const connectedAt = clock.now();
    const handshake = new ClientHandshake(bridge?.client);
    const catalogue = new SessionCatalogue({ sessionId, services: options, handshake, ended });
    const peer = createPeer(transport, this.#handlers());
    const clientRequests = createClientRequests(peer, () => handshake.identified?.client);
    const notifications = new SessionNotifications({ sessionId, peer, handshake, catalogue, log });
    this.id = sessionId;
    this.#options = options;
    this.#activity = { connectedAt, calls: 0, lastActiveAt: connectedAt };
    this.#handshake = handshake;
    this.#catalogue = catalogue;
    this.#peer = peer;
    this.#clientRequests = clientRequests;
    this.#notifications = notifications;
    this.#caller = this.#createCaller();
    this.#endpoint = options.serverRequests.join(this.#caller);
    this.#requests = new SessionRequests({
      caller: this.#caller,
      services: options,
      catalogue,
      endpoint: this.#endpoint,
      ended,
      onProgress: ({ id }, notification) => notifications.forward(notification, id),
      onListed: () => this.#changed.fire(),
    });
    this.#subscriptions = [
      catalogue.onChange((kinds) => this.#onCatalogueChanged(kinds)),
      ...(profiles === undefined ? [] : [profiles.onChange(() => this.#onProfilesChanged())]),
    ];
  }

  view(): ClientView {
    const { identified } = this.#handshake;
    const state = { id: this.id, identified, catalogue: this.#catalogue, activity: this.#activity };
    return sessionView(state, this.#options);
  }

  get clientName(): string | undefined {
    return this.#handshake.identified?.client.name;
  }

  snapshot(): SessionSnapshot | undefined {
    const { identified } = this.#handshake;
    return identified && sessionSnapshot(identified, this.#catalogue, this.#options.views);
  }

  notifyAgain(): void {
    this.#notifications.notifyAgain();
  }

  ask(message: RawRequest, signal: AbortSignal): Promise<unknown> {
    return this.#clientRequests.ask({ message, signal, onProgress: () => {} });
  }

  inputSchemaOf(tool: string): unknown {
    return this.#requests.inputSchemaOf(tool);
  }

  async start(): Promise<void> {
    const { recorded } = this.#options;
    await this.#peer.start();
    if (recorded !== undefined) this.#resume(recorded);
  }

  async close(why: RpcError = hubClosed()): Promise<void> {
    // Requests that wait for servers continue with what is known.
    this.#ended.abort();
    // A bridge answers its client itself because it knows better which calls may be retried.
    if (this.#options.via !== 'bridge') await this.#calls.stopAll(this.#caller, why);
    this.#end();
    await this.#peer.close();
  }

  get identityId(): string | undefined {
    return this.#catalogue.identityId;
  }

  async revoke(why: RpcError): Promise<void> {
    if (this.#options.identityId === undefined) await this.#calls.stopAll(this.#caller, why);
    else await this.close(why);
  }

  get #calls(): ActiveCalls {
    return this.#options.router.calls;
  }

  #handlers(): PeerHandlers {
    return {
      request: (message) => this.#onRequest(message),
      notification: (message) => this.#onNotification(message),
      noise: (text) =>
        this.#options.log.log('debug', 'The client sent something that is not a message', {
          session: this.id,
          text,
        }),
      closed: (reason) => this.#end(reason),
    };
  }

  /** The session, as the target of requests and notifications from servers. */
  #createCaller(): Caller {
    const { only, bridge } = this.#options;
    return {
      sessionId: this.id,
      initializeParams: () => {
        const client = this.#handshake.identified?.client;
        return client && toServerParams(client);
      },
      isStateless: () => this.#handshake.identified?.client.era === 'modern',
      ask: (request) =>
        this.#clientRequests.ask(
          this.#isStrict ? { ...request, message: strictMessage(request.message) } : request,
        ),
      notify: (serverKey, notification, relatedTo) =>
        this.#notifications.forwardFrom(serverKey, notification, relatedTo),
      sees: (serverKey) => this.#catalogue.sees(serverKey),
      onListingChanged: (key, connection) => this.#catalogue.instances.onListingChanged(key, connection),
      ...(only === undefined ? {} : { only }),
      mayReturn: bridge?.session === undefined ? undefined : bridge.isAlive,
    };
  }

  #onRequest(message: RawRequest): Promise<unknown> {
    const { method } = message;
    this.#recordRequest(method);
    if (method === 'ping') return Promise.resolve({});
    if (method === 'initialize') return this.#initialize(message.params);
    const { view, refusal } = this.#catalogue;
    if (view === undefined) throw notInitialized(method);
    if (refusal !== undefined) throw refusal;
    const answer = this.#requests.answer(message, view);
    if (!this.#isStrict) return answer;
    return answer.then((result) => strictResponse(method, result, message.params));
  }

  /** True if the client refuses a whole message for one member. */
  get #isStrict(): boolean {
    return this.#handshake.identified?.profile.isStrict === true;
  }

  #recordRequest(method: string): void {
    this.#activity.lastActiveAt = this.#options.clock.now();
    if (method === 'tools/call') {
      this.#activity.calls += 1;
      this.#changed.fire();
    } else this.#options.onRequest?.(this.id, method);
  }

  /** Ignores unknown notifications. */
  #onNotification(message: JsonRpcNotification): void {
    const { method, params } = message;
    this.#activity.lastActiveAt = this.#options.clock.now();
    switch (method) {
      case 'notifications/cancelled':
        if (isId(params?.requestId)) this.#calls.cancel(this.#caller, params.requestId, params.reason);
        break;
      case 'notifications/initialized':
        this.#onInitialized();
        break;
      case 'notifications/progress':
        this.#clientRequests.progress(message);
        break;
      case 'notifications/tasks/status':
        this.#endpoint.taskStatus(message);
        break;
      case 'notifications/roots/list_changed':
        this.#endpoint.rootsChanged();
        break;
      case heldListsMethod:
        if (this.#options.via === 'bridge') this.#onClientLists(params);
    }
  }

  #onClientLists(params: unknown): void {
    this.#notifications.onClientLists(params);
    this.#changed.fire();
  }

  #onCatalogueChanged(kinds: ReadonlySet<ListKind>): void {
    this.#notifications.onCatalogueChanged(kinds);
    this.#announceRoots();
    this.#changed.fire();
  }

  #onProfilesChanged(): void {
    if (this.#notifications.onProfilesChanged()) this.#changed.fire();
  }

  async #initialize(params: unknown): Promise<unknown> {
    const client = readInitializeParams(params);
    // Set before answering, so that messages from a client that does not wait for the response are
    // understood.
    const undo = this.#identify(client);
    this.#changed.fire();
    try {
      const result = await this.#requests.initializeResult(client.protocolVersion);
      await this.#catalogue.compact.loadRanking(client.name);
      await this.#options.recorder?.recordInitialize(params);
      return result;
    } catch (error) {
      undo();
      throw error;
    }
  }

  /** Resumes a session of an earlier hub, and restores its log level and subscriptions at the servers. */
  #resume({ params, level, subscriptions, lists }: RecordedSession): void {
    this.#identify(readInitializeParams(params));
    this.#catalogue.lists.restore(lists);
    this.#onInitialized();
    if (level !== undefined) void this.#repeatRequest('logging/setLevel', { level });
    for (const uri of subscriptions) void this.#repeatRequest('resources/subscribe', { uri });
  }

  #identify(client: ClientInitializeParams): () => void {
    const undo = this.#handshake.onInitialize({ client, profile: this.#catalogue.profileOf(client.name) });
    this.#catalogue.onInitialize();
    return undo;
  }

  async #repeatRequest(method: string, params: Readonly<Record<string, unknown>>): Promise<void> {
    const { view } = this.#catalogue;
    if (view === undefined) return;
    const message = toRaw({ jsonrpc: '2.0', id: `again ${method}`, method, params }) as RawRequest;
    try {
      await this.#requests.answer(message, view);
    } catch (error) {
      const details = { session: this.id, method, error: String(error) };
      this.#options.log.log('debug', 'Could not restore an earlier request of a client', details);
    }
  }

  #onInitialized(): void {
    if (!this.#handshake.onInitialized()) return;
    this.#notifications.notifyOutdated();
    this.#announceRoots();
  }

  /** Also called when the client gets access to a server that may have asked for roots in vain. */
  #announceRoots(): void {
    const { identified, isInitialized } = this.#handshake;
    if (isInitialized && identified?.client.capabilities.roots !== undefined) this.#endpoint.rootsAvailable();
  }

  #end(reason?: Error): void {
    if (!this.#handshake.close()) return;
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#catalogue.dispose();
    this.#ended.abort();
    this.#calls.cancelAll(this.#caller);
    this.#endpoint.dispose();
    const why = reason === undefined ? {} : { reason: reason.message };
    this.#options.log.log('debug', 'Session ended', { session: this.id, ...why });
    this.#closed.fire();
  }
}
