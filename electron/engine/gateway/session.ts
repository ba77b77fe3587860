import { randomUUID } from 'node:crypto';
import type { ClientView } from '../../../shared/model/client.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import { defaultListPatience, hubShare } from '../catalogue/client-table.ts';
import type { CatalogueView } from '../catalogue/contract.ts';
import { strictAnswer } from '../catalogue/strict-answer.ts';
import type { Participant } from '../route/backchannel-contract.ts';
import type { Router } from '../route/contract.ts';
import type { JsonRpcNotification, RpcError } from '../rpc/message.ts';
import { createPeer } from '../rpc/peer.ts';
import type { Peer } from '../rpc/peer-contract.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import { Acquaintance } from './acquaintance.ts';
import { type Calls, createCalls } from './calls.ts';
import { ClientNotices } from './client-notices.ts';
import { type ClientQuestions, createClientQuestions } from './client-questions.ts';
import { CompactMode } from './compact-mode.ts';
import { type Introduction, readIntroduction } from './introduction.ts';
import { ListNews } from './list-news.ts';
import type { ProfiledCatalogue } from './profiled-catalogue.ts';
import { createScope, type Scope } from './scope.ts';
import { SessionActivity } from './session-activity.ts';
import { sessionCaller } from './session-caller.ts';
import { SessionCatalogue } from './session-catalogue.ts';
import type {
  Session,
  SessionConnection,
  SessionPast,
  SessionSurroundings,
  SessionTruth,
} from './session-contract.ts';
import { hubEnds, refuseUngreeted } from './session-errors.ts';
import { createSessionLists, type SessionLists } from './session-lists.ts';
import { createSessionNotifications } from './session-notifications.ts';
import { compactRequests, createSessionRequests } from './session-requests.ts';
import { sessionTruth } from './session-truth.ts';
import { sessionView } from './session-view.ts';
import { createWaiting } from './waiting.ts';

type Options = SessionSurroundings & SessionConnection;

/** Creates a client's session, which neither answers nor sends anything before {@link Session.start}. */
export function createSession(options: Options): Session {
  return new ClientSession(options);
}

class ClientSession implements Session {
  readonly id: string;
  readonly #options: Options;
  readonly #activity: SessionActivity;
  readonly #acquaintance: Acquaintance;
  readonly #changed = new Emitter<void>();
  readonly #closed = new Emitter<void>();
  readonly #ended = new AbortController();
  readonly #sources: SessionCatalogue;
  readonly #catalogue: ProfiledCatalogue;
  readonly #compact: CompactMode;
  readonly #lists: SessionLists;
  readonly #peer: Peer;
  readonly #notices: ClientNotices;
  readonly #news: ListNews;
  readonly #questions: ClientQuestions;
  readonly #participant: Participant;
  readonly #router: Router;
  readonly #calls: Calls;
  readonly #scope: Scope;
  readonly #answer: (message: RawRequest, view: CatalogueView) => Promise<unknown>;
  readonly #hear: (message: JsonRpcNotification) => void;
  readonly #subscriptions: readonly Disposable[];
  readonly onChange = this.#changed.event;
  readonly onClosed = this.#closed.event;

  constructor(options: Options) {
    const { clock, log, router, bridge, profiles } = options;
    this.#options = options;
    this.id = bridge?.session ?? randomUUID();
    this.#activity = new SessionActivity(clock);
    this.#acquaintance = new Acquaintance(bridge?.client);
    const names = () => this.#acquaintance.names;
    this.#sources = new SessionCatalogue({ sessionId: this.id, options, names });
    this.#catalogue = this.#sources.seen;
    const choice = () => this.#catalogue.choice;
    this.#compact = new CompactMode({ session: options, choice, names });
    this.#lists = createSessionLists({
      surroundings: options,
      awaited: () => this.#awaited,
      patience: () => this.#patience,
      notes: options.notes,
      ended: this.#ended.signal,
    });
    this.#notices = new ClientNotices({ sessionId: this.id, peer: () => this.#peer, log });
    this.#news = this.#createNews();
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
      notes: options.notes,
      status: this.#sources.status,
      view: () => this.#view,
      compact: compactRequests(options, this.#compact, () => this.#catalogue.current),
      beforeList: () => this.#compact.beforeList(this.#client?.name ?? '', () => this.#whole),
      onListed: () => this.#changed.fire(),
      onProgress: ({ id: relatedTo }, notice) => this.#notices.relay(notice, relatedTo),
    });
    this.#hear = createSessionNotifications({
      calls: this.#calls,
      questions: this.#questions,
      participant: this.#participant,
      initialized: () => this.#initialized(),
      learnHeld: options.via === 'bridge' ? (params) => this.#news.learnHeld(params) : undefined,
    });
    this.#subscriptions = [
      this.#catalogue.onChange(({ kinds }) => {
        this.#news.catalogueChanged(kinds);
        this.#offerRoots();
        this.#changed.fire();
      }),
      ...(profiles === undefined ? [] : [profiles.onChange(() => this.#news.profilesChanged())]),
    ];
  }

  view(): ClientView {
    const facts = {
      id: this.id,
      greeted: this.#acquaintance.known,
      lists: this.#lists,
      view: this.#view,
      activity: this.#activity.shown,
      choice: this.#catalogue.choice,
      compact: this.#compact.choice,
      identityId: this.identityId,
    };
    return sessionView(facts, this.#options);
  }

  truth(): SessionTruth | undefined {
    const { known } = this.#acquaintance;
    const whole = this.#whole;
    if (known === undefined || whole === undefined) return undefined;
    const catalogue = this.#catalogue.current;
    const facts = { ...known, whole, catalogue, compact: this.#compact, lists: this.#lists };
    return sessionTruth(facts, this.#options.views);
  }

  remind(): void {
    this.#news.remind();
  }

  ask(message: RawRequest, signal: AbortSignal): Promise<unknown> {
    return this.#questions.ask({ message, signal, onProgress: () => {} });
  }

  async start(): Promise<void> {
    const { past } = this.#options;
    await this.#peer.start();
    if (past !== undefined) this.#goOn(past);
  }

  async close(why: RpcError = hubEnds()): Promise<void> {
    // Requests that wait for servers continue with what is known.
    this.#ended.abort();
    // A bridge answers its client itself because it knows better which calls may be retried.
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

  get #client(): Introduction | undefined {
    return this.#acquaintance.known?.client;
  }

  /** The complete view. */
  get #whole(): CatalogueView | undefined {
    const { known } = this.#acquaintance;
    return known && this.#scope.view(known.profile);
  }

  /** The view with the list shortened if configured. */
  get #view(): CatalogueView | undefined {
    const whole = this.#whole;
    return whole && this.#compact.view(whole);
  }

  get #awaited(): readonly string[] {
    const { awaited = [] } = this.#catalogue.current;
    const { only } = this.#options;
    return only === undefined ? awaited : awaited.filter((key) => key === only);
  }

  /** A bridge has spent part of the time on reaching the hub. */
  get #patience(): number {
    const { listPatience } = this.#acquaintance.known?.profile ?? { listPatience: defaultListPatience };
    return this.#options.via === 'bridge' ? listPatience * hubShare : listPatience;
  }

  #createNews(): ListNews {
    return new ListNews({
      lists: this.#lists,
      compact: this.#compact,
      view: () => this.#view,
      mayTell: () => this.#acquaintance.isInitialized,
      tell: (kinds) => this.#notices.listsChanged(kinds),
      changed: () => this.#changed.fire(),
    });
  }

  #openPeer(): Peer {
    const { transport, log } = this.#options;
    const noise = 'The client sent something that is not a message';
    return createPeer(transport, {
      request: (message) => this.#request(message),
      notification: (message) => {
        this.#activity.heard();
        this.#hear(message);
      },
      noise: (text) => log.log('debug', noise, { session: this.id, text }),
      closed: (reason) => this.#end(reason),
    });
  }

  #join(): Participant {
    const caller = sessionCaller({
      sessionId: this.id,
      connection: this.#options,
      client: () => this.#client,
      view: () => this.#view,
      sources: this.#sources,
      notices: this.#notices,
      ask: this.#questions.ask,
    });
    return this.#options.backchannel.join(caller);
  }

  #createScope(): Scope {
    const waiting = createWaiting({
      ready: this.#lists.ready,
      router: this.#router,
      view: () => this.#view,
      ended: this.#ended.signal,
      clock: this.#options.clock,
    });
    return createScope({ ...this.#options, catalogue: this.#catalogue }, waiting);
  }

  #request(message: RawRequest): Promise<unknown> {
    const { method } = message;
    this.#count(method);
    if (method === 'ping') return Promise.resolve({});
    if (method === 'initialize') return this.#introduce(message.params);
    const view = this.#view;
    if (view === undefined) throw refuseUngreeted(method);
    const { refusal } = this.#catalogue;
    if (refusal !== undefined) throw refusal;
    const answer = this.#answer(message, view);
    if (this.#acquaintance.known?.profile.refusesUnfit !== true) return answer;
    return answer.then((given) => strictAnswer(method, given, message.params));
  }

  async #introduce(params: unknown): Promise<unknown> {
    const client = readIntroduction(params);
    // Set before answering, so that messages from a client that does not wait for the response are
    // understood.
    const takeBack = this.#acquaintance.greeted({ client, profile: this.#scope.profileOf(client) });
    this.#sources.introduced();
    this.#compact.reconsider();
    this.#changed.fire();
    try {
      const greeting = await this.#scope.greeting(client);
      await this.#compact.ranked(client.name);
      await this.#options.notes?.greeted(params);
      return greeting;
    } catch (error) {
      takeBack();
      throw error;
    }
  }

  /** Resumes a session of an earlier hub, and restores its log level and subscriptions at the servers. */
  #goOn({ params, level, subscriptions, lists }: SessionPast): void {
    const client = readIntroduction(params);
    this.#acquaintance.greeted({ client, profile: this.#scope.profileOf(client) });
    this.#sources.introduced();
    this.#compact.reconsider();
    this.#lists.recall(lists);
    this.#initialized();
    if (level !== undefined) void this.#askAgain('logging/setLevel', { level });
    for (const uri of subscriptions) void this.#askAgain('resources/subscribe', { uri });
  }

  async #askAgain(method: string, params: Readonly<Record<string, unknown>>): Promise<void> {
    const view = this.#view;
    if (view === undefined) return;
    try {
      await this.#answer(
        toRaw({ jsonrpc: '2.0', id: `again ${method}`, method, params }) as RawRequest,
        view,
      );
    } catch (error) {
      const more = { session: this.id, method, error: String(error) };
      this.#options.log.log('debug', 'Could not restore an earlier request of a client', more);
    }
  }

  #initialized(): void {
    if (!this.#acquaintance.initialized()) return;
    this.#news.outdated();
    this.#offerRoots();
  }

  /** Also called when the client gets access to a server that may have asked for roots in vain. */
  #offerRoots(): void {
    const { known, isInitialized } = this.#acquaintance;
    if (isInitialized && known?.client.capabilities.roots !== undefined) this.#participant.hasRoots();
  }

  #count(method: string): void {
    if (method === 'tools/call') {
      this.#activity.called();
      this.#changed.fire();
      return;
    }
    this.#activity.heard();
    this.#options.heard?.(this.id, method);
  }

  #end(reason?: Error): void {
    if (!this.#acquaintance.close()) return;
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
