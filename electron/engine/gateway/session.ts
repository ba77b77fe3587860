import { randomUUID } from 'node:crypto';
import type { ClientView } from '../../../shared/model/client.ts';
import { heldListsMethod } from '../../../shared/schema/bridge-hello.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import type { CatalogueView, ClientProfile, ListKind } from '../catalogue/contract.ts';
import type { Participant } from '../route/backchannel-contract.ts';
import { noSession, type Router } from '../route/contract.ts';
import type { JsonRpcNotification, RpcError } from '../rpc/message.ts';
import { createPeer } from '../rpc/peer.ts';
import type { Peer } from '../rpc/peer-contract.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import { type Calls, createCalls } from './calls.ts';
import { ClientNotices } from './client-notices.ts';
import { type ClientQuestions, createClientQuestions } from './client-questions.ts';
import { CompactMode } from './compact-mode.ts';
import { asToServers, type Introduction, readIntroduction } from './introduction.ts';
import type { ProfiledCatalogue } from './profiled-catalogue.ts';
import { createScope, type Scope } from './scope.ts';
import { SessionCatalogue } from './session-catalogue.ts';
import type { Session, SessionConnection, SessionSurroundings, SessionTruth } from './session-contract.ts';
import { hubEnds, refuseUngreeted } from './session-errors.ts';
import { createSessionLists, type SessionLists } from './session-lists.ts';
import { compactRequests, createSessionRequests } from './session-requests.ts';
import { sessionView } from './session-view.ts';

type Options = SessionSurroundings & SessionConnection;

type State =
  | { readonly kind: 'new' }
  /** Answered `initialize`; `initialized` has not come, so no notice may be sent yet. */
  | {
      readonly kind: 'greeted' | 'initialized';
      readonly client: Introduction;
      readonly profile: ClientProfile;
    }
  | { readonly kind: 'closed' };

/** One client's session; it answers nothing and tells nothing before {@link Session.start}. */
export function createSession(options: Options): Session {
  return new ClientSession(options);
}

class ClientSession implements Session {
  readonly id: string;
  readonly #options: Options;
  readonly #connectedAt: number;
  readonly #changed = new Emitter<void>();
  readonly #closed = new Emitter<void>();
  readonly #ended = new AbortController();
  readonly #sources: SessionCatalogue;
  readonly #catalogue: ProfiledCatalogue;
  readonly #compact: CompactMode;
  readonly #lists: SessionLists;
  readonly #peer: Peer;
  readonly #notices: ClientNotices;
  readonly #questions: ClientQuestions;
  readonly #participant: Participant;
  readonly #router: Router;
  readonly #calls: Calls;
  readonly #scope: Scope;
  readonly #answer: (message: RawRequest, view: CatalogueView) => Promise<unknown>;
  readonly #subscriptions: readonly Disposable[];
  readonly onChange = this.#changed.event;
  readonly onClosed = this.#closed.event;
  #state: State = { kind: 'new' };
  #activity: Pick<ClientView, 'calls' | 'lastActiveAt'>;

  constructor(options: Options) {
    const { clock, log, router, bridge, profiles } = options;
    this.#options = options;
    this.id = bridge?.session ?? randomUUID();
    this.#connectedAt = clock.now();
    this.#activity = { calls: 0, lastActiveAt: this.#connectedAt };
    this.#sources = new SessionCatalogue({ sessionId: this.id, options, names: () => this.#names });
    this.#catalogue = this.#sources.seen;
    const choice = () => this.#catalogue.choice;
    this.#compact = new CompactMode({ session: options, choice, names: () => this.#names });
    this.#lists = createSessionLists(options, this.#ended.signal);
    this.#notices = new ClientNotices({ sessionId: this.id, peer: () => this.#peer, log });
    this.#peer = this.#openPeer();
    this.#questions = createClientQuestions(this.#peer, () => this.#client);
    this.#participant = this.#join();
    this.#router = this.#participant.track(router);
    this.#calls = createCalls(this.#router, this.id);
    this.#scope = this.#createScope();
    this.#answer = createSessionRequests({
      scope: this.#scope,
      calls: this.#calls,
      participant: this.#participant,
      lists: this.#lists,
      status: this.#sources.status,
      view: () => this.#view,
      compact: compactRequests(options, this.#compact, () => this.#catalogue.current),
      beforeList: () => this.#beforeList(),
      onListed: () => this.#changed.fire(),
      onProgress: ({ id: relatedTo }, notice) => this.#notices.relay(notice, relatedTo),
    });
    const told = (kinds: ReadonlySet<ListKind>) => {
      this.#compact.reconsider();
      this.#announce(this.#lists.toAnnounce(kinds, this.#view));
      this.#offerRoots();
      this.#changed.fire();
    };
    this.#subscriptions = [
      this.#catalogue.onChange(({ kinds }) => told(kinds)),
      ...(profiles === undefined ? [] : [profiles.onChange(() => this.#profilesChanged())]),
    ];
  }

  view(): ClientView {
    const facts = {
      id: this.id,
      connectedAt: this.#connectedAt,
      greeted: 'client' in this.#state ? this.#state : undefined,
      lists: this.#lists,
      view: this.#view,
      activity: this.#activity,
      choice: this.#catalogue.choice,
      compact: this.#compact.choice,
      identityId: this.identityId,
    };
    return sessionView(facts, this.#options);
  }

  truth(): SessionTruth | undefined {
    const view = this.#view;
    const whole = this.#whole;
    if (!('profile' in this.#state) || view === undefined || whole === undefined) return undefined;
    const { client, profile } = this.#state;
    const { name, title } = client;
    return {
      client: { name, ...(title === undefined ? {} : { title }) },
      profile,
      view,
      catalogue: this.#catalogue.current,
      tools: this.#options.views.list(view, 'tools/list').items,
      compact: this.#compact.choice,
      whole,
      direct: (choice) => this.#compact.direct(whole, choice),
      heldTools: this.#lists.heldTools,
      holdsTools: this.#lists.holds('tools'),
      isStale: this.#lists.stale(view).has('tools'),
      heldRevision: this.#lists.revision,
    };
  }

  remind(): void {
    const stale = this.#lists.stale(this.#view);
    this.#announce(stale.size > 0 ? stale : new Set(['tools']));
  }

  ask(message: RawRequest, signal: AbortSignal): Promise<unknown> {
    return this.#questions.ask({ message, signal, onProgress: () => {} });
  }

  start(): Promise<void> {
    return this.#peer.start();
  }

  async close(why: RpcError = hubEnds()): Promise<void> {
    // What waits for servers goes on with what is known of them.
    this.#ended.abort();
    // A bridge knows better than we do what may be asked again, and answers its client itself.
    if (this.#options.via !== 'bridge') await this.#calls.failAll(why);
    this.#end();
    await this.#peer.close();
  }

  get identityId(): string | undefined {
    return this.#sources.identityId;
  }

  stopCall(message: RawRequest, why: RpcError): boolean {
    return this.#calls.stop(message, why);
  }

  async cut(why: RpcError): Promise<void> {
    if (this.#options.identityId === undefined) await this.#calls.failAll(why);
    else await this.close(why);
  }

  /** What the client is known as, the surest first. */
  get #names(): readonly string[] {
    return [this.#options.bridge?.client, this.#client?.name].filter((name) => name !== undefined);
  }

  get #client(): Introduction | undefined {
    return 'client' in this.#state ? this.#state.client : undefined;
  }

  /** What it may have. */
  get #whole(): CatalogueView | undefined {
    return 'profile' in this.#state ? this.#scope.view(this.#state.profile) : undefined;
  }

  /** The same, with as short a list as it gets. */
  get #view(): CatalogueView | undefined {
    const whole = this.#whole;
    return whole && this.#compact.view(whole);
  }

  #openPeer(): Peer {
    const { transport, log } = this.#options;
    const noise = 'Client sent something that is no message';
    return createPeer(transport, {
      request: (message) => this.#request(message),
      notification: (message) => this.#notification(message),
      noise: (text) => log.log('debug', noise, { session: this.id, text }),
      closed: (reason) => this.#end(reason),
    });
  }

  #join(): Participant {
    const { backchannel, only, bridge } = this.#options;
    return backchannel.join({
      sessionId: this.id,
      introduction: () => this.#client && asToServers(this.#client),
      ask: this.#questions.ask,
      tell: (serverKey, notice, relatedTo) => {
        // What servers say while they start is not for a client that has not said a word yet.
        const isHeard = this.#client !== undefined && this.#catalogue.includes(serverKey);
        if (isHeard) this.#notices.tell(this.#view, serverKey, notice, relatedTo);
      },
      sees: (serverKey) => this.#sources.sees(serverKey),
      offerChanged: (key, connection) => this.#sources.own.changed(key, connection),
      ...(only === undefined ? {} : { only }),
      mayReturn: bridge?.session === undefined ? undefined : bridge.isAlive,
    });
  }

  #createScope(): Scope {
    const waiting = { ready: this.#lists.ready, reach: (serverKey: string) => this.#reach(serverKey) };
    return createScope({ ...this.#options, catalogue: this.#catalogue }, waiting);
  }

  #request(message: RawRequest): Promise<unknown> {
    const { method } = message;
    this.#touch(method === 'tools/call' ? 1 : 0);
    if (method !== 'tools/call') this.#options.heard?.(this.id, method);
    if (method === 'ping') return Promise.resolve({});
    if (method === 'initialize') return this.#introduce(message.params);
    const view = this.#view;
    if (view === undefined) throw refuseUngreeted(method);
    const { refusal } = this.#catalogue;
    if (refusal !== undefined) throw refusal;
    return this.#answer(message, view);
  }

  async #introduce(params: unknown): Promise<unknown> {
    const client = readIntroduction(params);
    // At once: a client that does not wait for the answer has its next messages understood.
    const greeted = { kind: 'greeted', client, profile: this.#scope.profileOf(client) } as const;
    this.#state = greeted;
    this.#sources.introduced();
    this.#compact.reconsider();
    this.#changed.fire();
    try {
      const greeting = await this.#scope.greeting(client);
      await this.#compact.ranked(client.name);
      return greeting;
    } catch (error) {
      if (this.#state === greeted) this.#state = { kind: 'new' };
      throw error;
    }
  }

  /** Waits for the one server that the session is for: for the process that is listed, not for one of its own. */
  async #reach(serverKey: string): Promise<void> {
    await this.#lists.ready();
    const view = this.#view;
    if (view === undefined) return;
    const message = toRaw({ jsonrpc: '2.0', id: 0, method: 'ping' }) as RawRequest;
    const { signal } = this.#ended;
    await this.#router.forward({
      sessionId: noSession,
      message,
      view,
      serverKey,
      signal,
      onProgress,
    });
  }

  #notification(message: JsonRpcNotification): void {
    this.#touch(0);
    switch (message.method) {
      case 'notifications/cancelled':
        this.#cancel(message.params?.requestId, message.params?.reason);
        break;
      case 'notifications/initialized':
        this.#initialized();
        break;
      case 'notifications/progress':
        this.#questions.progress(message);
        break;
      case 'notifications/tasks/status':
        this.#participant.taskStatus(message);
        break;
      case 'notifications/roots/list_changed':
        this.#participant.rootsChanged();
        break;
      case heldListsMethod:
        if (this.#options.via === 'bridge') this.#learnHeld(message.params);
    }
  }

  #cancel(requestId: unknown, reason: unknown): void {
    if (typeof requestId === 'string' || typeof requestId === 'number') this.#calls.cancel(requestId, reason);
  }

  #initialized(): void {
    if (this.#state.kind !== 'greeted') return;
    this.#state = { ...this.#state, kind: 'initialized' };
    this.#announce(this.#lists.stale(this.#view));
    this.#offerRoots();
  }

  /** Also when it may have a server from now on that asked in vain before. */
  #offerRoots(): void {
    const isHeard = this.#state.kind === 'initialized' && this.#state.client.capabilities.roots !== undefined;
    if (isHeard) this.#participant.hasRoots();
  }

  #learnHeld(params: unknown): void {
    if (this.#lists.learn(params, this.#view)) this.#announce(this.#lists.stale(this.#view));
    this.#changed.fire();
  }

  /** Of a change of what it may have, the catalogue tells. */
  #profilesChanged(): void {
    if (!this.#compact.reconsider()) return;
    this.#announce(this.#lists.stale(this.#view));
    this.#changed.fire();
  }

  async #beforeList(): Promise<void> {
    await this.#compact.ranked(this.#client?.name ?? '');
    if (this.#whole !== undefined) this.#compact.settle(this.#whole);
  }

  #announce(kinds: ReadonlySet<ListKind>): void {
    if (this.#state.kind === 'initialized') this.#notices.listsChanged(kinds);
  }

  #touch(newCalls: number): void {
    const { calls } = this.#activity;
    this.#activity = { calls: calls + newCalls, lastActiveAt: this.#options.clock.now() };
    if (newCalls > 0) this.#changed.fire();
  }

  #end(reason?: Error): void {
    if (this.#state.kind === 'closed') return;
    this.#state = { kind: 'closed' };
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#sources.dispose();
    this.#ended.abort();
    this.#calls.cancelAll();
    this.#participant.dispose();
    const why = reason === undefined ? {} : { reason: reason.message };
    this.#options.log.log('debug', 'Session ended', { session: this.id, ...why });
    this.#closed.fire();
  }
}

/** A ping has none. */
function onProgress(): void {}
