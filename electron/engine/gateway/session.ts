import { randomUUID } from 'node:crypto';
import type { ClientView } from '../../../shared/model/client.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import { defaultListTimeoutMs, hubTimeShare } from '../catalogue/client-table.ts';
import type { CatalogueView } from '../catalogue/contract.ts';
import { strictResponse } from '../catalogue/strict-answer.ts';
import type { SessionEndpoint } from '../route/backchannel-contract.ts';
import type { Router } from '../route/contract.ts';
import type { JsonRpcNotification, RpcError } from '../rpc/message.ts';
import { createPeer } from '../rpc/peer.ts';
import type { Peer } from '../rpc/peer-contract.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import { ClientHandshake } from './acquaintance.ts';
import { type ClientCalls, createClientCalls } from './calls.ts';
import { ClientNotifications } from './client-notices.ts';
import { type ClientRequests, createClientRequests } from './client-questions.ts';
import { CompactMode } from './compact-mode.ts';
import { type ClientInitializeParams, readInitializeParams } from './introduction.ts';
import { ListChangeNotifier } from './list-news.ts';
import type { VisibleCatalogue } from './profiled-catalogue.ts';
import { createSessionScope, type SessionScope } from './scope.ts';
import { SessionActivity } from './session-activity.ts';
import { createSessionCaller } from './session-caller.ts';
import { SessionCatalogue } from './session-catalogue.ts';
import type {
  RecordedSession,
  Session,
  SessionConnection,
  SessionServices,
  SessionSnapshot,
} from './session-contract.ts';
import { hubClosed, notInitialized } from './session-errors.ts';
import { createSessionLists, type SessionLists } from './session-lists.ts';
import { createSessionNotifications } from './session-notifications.ts';
import { compactRequests, createSessionRequests } from './session-requests.ts';
import { createSessionSnapshot } from './session-truth.ts';
import { sessionView } from './session-view.ts';
import { createScopeWaits } from './waiting.ts';

type Options = SessionServices & SessionConnection;

/** Creates a client's session, which neither answers nor sends anything before {@link Session.start}. */
export function createSession(options: Options): Session {
  return new ClientSession(options);
}

class ClientSession implements Session {
  readonly id: string;
  readonly #options: Options;
  readonly #activity: SessionActivity;
  readonly #handshake: ClientHandshake;
  readonly #changed = new Emitter<void>();
  readonly #closed = new Emitter<void>();
  readonly #ended = new AbortController();
  readonly #catalogues: SessionCatalogue;
  readonly #catalogue: VisibleCatalogue;
  readonly #compact: CompactMode;
  readonly #lists: SessionLists;
  readonly #peer: Peer;
  readonly #notifications: ClientNotifications;
  readonly #listChanges: ListChangeNotifier;
  readonly #clientRequests: ClientRequests;
  readonly #endpoint: SessionEndpoint;
  readonly #router: Router;
  readonly #calls: ClientCalls;
  readonly #scope: SessionScope;
  readonly #answer: (message: RawRequest, view: CatalogueView) => Promise<unknown>;
  readonly #onNotification: (message: JsonRpcNotification) => void;
  readonly #subscriptions: readonly Disposable[];
  readonly onChange = this.#changed.event;
  readonly onClosed = this.#closed.event;

  constructor(options: Options) {
    const { clock, log, router, bridge, profiles } = options;
    this.#options = options;
    this.id = bridge?.session ?? randomUUID();
    this.#activity = new SessionActivity(clock);
    this.#handshake = new ClientHandshake(bridge?.client);
    const names = () => this.#handshake.names;
    this.#catalogues = new SessionCatalogue({ sessionId: this.id, services: options, names });
    this.#catalogue = this.#catalogues.visible;
    const choice = () => this.#catalogue.choice;
    this.#compact = new CompactMode({ services: options, choice, names });
    this.#lists = createSessionLists({
      services: options,
      awaited: () => this.#awaited,
      timeoutMs: () => this.#listTimeoutMs,
      recorder: options.recorder,
      ended: this.#ended.signal,
    });
    this.#notifications = new ClientNotifications({ sessionId: this.id, peer: () => this.#peer, log });
    this.#listChanges = this.#createListChanges();
    this.#peer = this.#openPeer();
    this.#clientRequests = createClientRequests(this.#peer, () => this.#client);
    this.#endpoint = this.#join();
    this.#router = this.#endpoint.track(router);
    this.#calls = createClientCalls(this.#router, this.id);
    this.#scope = this.#createScope();
    this.#answer = createSessionRequests({
      scope: this.#scope,
      calls: this.#calls,
      endpoint: this.#endpoint,
      lists: this.#lists,
      recorder: options.recorder,
      status: this.#catalogues.status,
      view: () => this.#view,
      compact: compactRequests(options, this.#compact, () => this.#catalogue.current),
      beforeList: () => this.#compact.beforeList(this.#client?.name ?? '', () => this.#fullView),
      onListed: () => this.#changed.fire(),
      onProgress: ({ id: relatedTo }, notice) => this.#notifications.forward(notice, relatedTo),
    });
    this.#onNotification = createSessionNotifications({
      calls: this.#calls,
      clientRequests: this.#clientRequests,
      endpoint: this.#endpoint,
      onInitialized: () => this.#onInitialized(),
      onClientLists:
        options.via === 'bridge' ? (params) => this.#listChanges.onClientLists(params) : undefined,
    });
    this.#subscriptions = [
      this.#catalogue.onChange(({ kinds }) => {
        this.#listChanges.onCatalogueChanged(kinds);
        this.#announceRoots();
        this.#changed.fire();
      }),
      ...(profiles === undefined ? [] : [profiles.onChange(() => this.#listChanges.onProfilesChanged())]),
    ];
  }

  view(): ClientView {
    const facts = {
      id: this.id,
      identified: this.#handshake.identified,
      lists: this.#lists,
      view: this.#view,
      activity: this.#activity.view,
      choice: this.#catalogue.choice,
      compact: this.#compact.choice,
      identityId: this.identityId,
    };
    return sessionView(facts, this.#options);
  }

  snapshot(): SessionSnapshot | undefined {
    const { identified: known } = this.#handshake;
    const whole = this.#fullView;
    if (known === undefined || whole === undefined) return undefined;
    const catalogue = this.#catalogue.current;
    const facts = { ...known, whole, catalogue, compact: this.#compact, lists: this.#lists };
    return createSessionSnapshot(facts, this.#options.views);
  }

  notifyAgain(): void {
    this.#listChanges.notifyAgain();
  }

  ask(message: RawRequest, signal: AbortSignal): Promise<unknown> {
    return this.#clientRequests.ask({ message, signal, onProgress: () => {} });
  }

  async start(): Promise<void> {
    const { recorded: past } = this.#options;
    await this.#peer.start();
    if (past !== undefined) this.#resume(past);
  }

  async close(why: RpcError = hubClosed()): Promise<void> {
    // Requests that wait for servers continue with what is known.
    this.#ended.abort();
    // A bridge answers its client itself because it knows better which calls may be retried.
    if (this.#options.via !== 'bridge') await this.#calls.failAll(why);
    this.#end();
    await this.#peer.close();
  }

  get identityId(): string | undefined {
    return this.#catalogues.identityId;
  }

  stopCall(message: RawRequest, why: RpcError): boolean {
    return this.#calls.stop(message, why);
  }

  async revoke(why: RpcError): Promise<void> {
    if (this.#options.identityId === undefined) await this.#calls.failAll(why);
    else await this.close(why);
  }

  get #client(): ClientInitializeParams | undefined {
    return this.#handshake.identified?.client;
  }

  /** The complete view. */
  get #fullView(): CatalogueView | undefined {
    const { identified: known } = this.#handshake;
    return known && this.#scope.view(known.profile);
  }

  /** The view with the list shortened if configured. */
  get #view(): CatalogueView | undefined {
    const whole = this.#fullView;
    return whole && this.#compact.view(whole);
  }

  get #awaited(): readonly string[] {
    const { awaited = [] } = this.#catalogue.current;
    const { only } = this.#options;
    return only === undefined ? awaited : awaited.filter((key) => key === only);
  }

  /** A bridge has spent part of the time on reaching the hub. */
  get #listTimeoutMs(): number {
    const { listTimeoutMs: listPatience } = this.#handshake.identified?.profile ?? {
      listTimeoutMs: defaultListTimeoutMs,
    };
    return this.#options.via === 'bridge' ? listPatience * hubTimeShare : listPatience;
  }

  #createListChanges(): ListChangeNotifier {
    return new ListChangeNotifier({
      lists: this.#lists,
      compact: this.#compact,
      view: () => this.#view,
      mayNotify: () => this.#handshake.isInitialized,
      notify: (kinds) => this.#notifications.listsChanged(kinds),
      onChanged: () => this.#changed.fire(),
    });
  }

  #openPeer(): Peer {
    const { transport, log } = this.#options;
    const noiseMessage = 'The client sent something that is not a message';
    return createPeer(transport, {
      request: (message) => this.#request(message),
      notification: (message) => {
        this.#activity.onMessage();
        this.#onNotification(message);
      },
      noise: (text) => log.log('debug', noiseMessage, { session: this.id, text }),
      closed: (reason) => this.#end(reason),
    });
  }

  #join(): SessionEndpoint {
    const caller = createSessionCaller({
      sessionId: this.id,
      connection: this.#options,
      client: () => this.#client,
      view: () => this.#view,
      catalogue: this.#catalogues,
      notifications: this.#notifications,
      ask: this.#clientRequests.ask,
    });
    return this.#options.serverRequests.join(caller);
  }

  #createScope(): SessionScope {
    const waits = createScopeWaits({
      ready: this.#lists.ready,
      router: this.#router,
      view: () => this.#view,
      ended: this.#ended.signal,
      clock: this.#options.clock,
    });
    return createSessionScope({ ...this.#options, catalogue: this.#catalogue }, waits);
  }

  #request(message: RawRequest): Promise<unknown> {
    const { method } = message;
    this.#recordRequest(method);
    if (method === 'ping') return Promise.resolve({});
    if (method === 'initialize') return this.#initialize(message.params);
    const view = this.#view;
    if (view === undefined) throw notInitialized(method);
    const { refusal } = this.#catalogue;
    if (refusal !== undefined) throw refusal;
    const answer = this.#answer(message, view);
    if (this.#handshake.identified?.profile.isStrict !== true) return answer;
    return answer.then((result) => strictResponse(method, result, message.params));
  }

  async #initialize(params: unknown): Promise<unknown> {
    const client = readInitializeParams(params);
    // Set before answering, so that messages from a client that does not wait for the response are
    // understood.
    const undo = this.#handshake.onInitialize({ client, profile: this.#scope.profileOf(client) });
    this.#catalogues.onInitialize();
    this.#compact.update();
    this.#changed.fire();
    try {
      const result = await this.#scope.initializeResult(client);
      await this.#compact.loadRanking(client.name);
      await this.#options.recorder?.recordInitialize(params);
      return result;
    } catch (error) {
      undo();
      throw error;
    }
  }

  /** Resumes a session of an earlier hub, and restores its log level and subscriptions at the servers. */
  #resume({ params, level, subscriptions, lists }: RecordedSession): void {
    const client = readInitializeParams(params);
    this.#handshake.onInitialize({ client, profile: this.#scope.profileOf(client) });
    this.#catalogues.onInitialize();
    this.#compact.update();
    this.#lists.restore(lists);
    this.#onInitialized();
    if (level !== undefined) void this.#repeatRequest('logging/setLevel', { level });
    for (const uri of subscriptions) void this.#repeatRequest('resources/subscribe', { uri });
  }

  async #repeatRequest(method: string, params: Readonly<Record<string, unknown>>): Promise<void> {
    const view = this.#view;
    if (view === undefined) return;
    try {
      await this.#answer(
        toRaw({ jsonrpc: '2.0', id: `again ${method}`, method, params }) as RawRequest,
        view,
      );
    } catch (error) {
      const details = { session: this.id, method, error: String(error) };
      this.#options.log.log('debug', 'Could not restore an earlier request of a client', details);
    }
  }

  #onInitialized(): void {
    if (!this.#handshake.onInitialized()) return;
    this.#listChanges.notifyOutdated();
    this.#announceRoots();
  }

  /** Also called when the client gets access to a server that may have asked for roots in vain. */
  #announceRoots(): void {
    const { identified: known, isInitialized } = this.#handshake;
    if (isInitialized && known?.client.capabilities.roots !== undefined) this.#endpoint.rootsAvailable();
  }

  #recordRequest(method: string): void {
    if (method === 'tools/call') {
      this.#activity.onCall();
      this.#changed.fire();
      return;
    }
    this.#activity.onMessage();
    this.#options.onRequest?.(this.id, method);
  }

  #end(reason?: Error): void {
    if (!this.#handshake.close()) return;
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#catalogues.dispose();
    this.#ended.abort();
    this.#calls.cancelAll();
    this.#endpoint.dispose();
    const why = reason === undefined ? {} : { reason: reason.message };
    this.#options.log.log('debug', 'Session ended', { session: this.id, ...why });
    this.#closed.fire();
  }
}
