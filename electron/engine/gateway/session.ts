import { randomUUID } from 'node:crypto';
import type { ClientView } from '../../../shared/model/client.ts';
import { heldListsMethod } from '../../../shared/schema/bridge-hello.ts';
import { Emitter } from '../base/emitter.ts';
import type { CatalogueChange, CatalogueView, ClientProfile, ListKind } from '../catalogue/contract.ts';
import type { JsonRpcId, JsonRpcNotification } from '../rpc/message.ts';
import { createPeer } from '../rpc/peer.ts';
import type { RawMessage, RawRequest } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import { createCalls } from './calls.ts';
import { createClientQuestions } from './client-questions.ts';
import { asToServers, type Introduction, readIntroduction } from './introduction.ts';
import { OwnOffers } from './own-offers.ts';
import { createScope } from './scope.ts';
import type { Session, SessionConnection, SessionSurroundings } from './session-contract.ts';
import { hubEnds, refuseUngreeted } from './session-errors.ts';
import { createSessionLists } from './session-lists.ts';
import { createSessionRequests } from './session-requests.ts';

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
export function createSession(options: SessionSurroundings & SessionConnection): Session {
  const { clock, log, backchannel } = options;
  const catalogue = new OwnOffers(options.catalogue, log);
  const id = randomUUID();
  const connectedAt = clock.now();
  const changed = new Emitter<void>();
  const closed = new Emitter<void>();
  const ended = new AbortController();
  const lists = createSessionLists(options, ended.signal);
  let state: State = { kind: 'new' };
  let activity = { calls: 0, lastActiveAt: connectedAt };

  const peer = createPeer(options.transport, {
    request,
    notification,
    noise: (text) => log.log('debug', 'Client sent something that is no message', { session: id, text }),
    closed: end,
  });
  const questions = createClientQuestions(peer, () => ('client' in state ? state.client : undefined));
  const participant = backchannel.join({
    sessionId: id,
    introduction: () => ('client' in state ? asToServers(state.client) : undefined),
    ask: questions.ask,
    tell,
    offerChanged: (key, connection) => catalogue.changed(key, connection),
    ...(options.only === undefined ? {} : { only: options.only }),
  });
  const calls = createCalls(participant.track(options.router), id);
  const scope = createScope({ ...options, catalogue }, { ready: lists.ready, reach });
  const answer = createSessionRequests({
    scope,
    calls,
    participant,
    lists,
    view: currentView,
    onListed: () => changed.fire(),
    onProgress: ({ id: relatedTo }, notice) => relay(notice, relatedTo),
  });
  const subscription = catalogue.onChange(announceChange);

  function request(message: RawRequest): Promise<unknown> {
    const { method } = message;
    touch(method === 'tools/call' ? 1 : 0);
    if (method === 'ping') return Promise.resolve({});
    if (method === 'initialize') return introduce(message.params);
    const view = currentView();
    if (view === undefined) throw refuseUngreeted(method);
    return answer(message, view);
  }

  async function introduce(params: unknown): Promise<unknown> {
    const client = readIntroduction(params);
    // At once: a client that does not wait for the answer has its next messages understood.
    const greeted = { kind: 'greeted', client, profile: scope.profileOf(client) } as const;
    state = greeted;
    changed.fire();
    try {
      return await scope.greeting(client);
    } catch (error) {
      if (state === greeted) state = { kind: 'new' };
      throw error;
    }
  }

  /** Waits for the one server that the session is for. */
  async function reach(serverKey: string): Promise<void> {
    await lists.ready();
    const ping = toRaw({ jsonrpc: '2.0', id: 0, method: 'ping' }) as RawRequest;
    const view = currentView();
    if (view !== undefined) await calls.run(ping, view, () => {}, serverKey);
  }

  function notification(message: JsonRpcNotification): void {
    touch(0);
    switch (message.method) {
      case 'notifications/cancelled':
        cancel(message.params?.requestId, message.params?.reason);
        break;
      case 'notifications/initialized':
        initialized();
        break;
      case 'notifications/progress':
        questions.progress(message);
        break;
      case 'notifications/roots/list_changed':
        participant.rootsChanged();
        break;
      case heldListsMethod:
        if (options.via === 'bridge') learnHeld(message.params);
    }
  }

  function cancel(requestId: unknown, reason: unknown): void {
    if (typeof requestId === 'string' || typeof requestId === 'number') calls.cancel(requestId, reason);
  }

  function initialized(): void {
    if (state.kind !== 'greeted') return;
    state = { ...state, kind: 'initialized' };
    announce(lists.stale(currentView()));
    if (state.client.capabilities.roots !== undefined) participant.hasRoots();
  }

  function learnHeld(params: unknown): void {
    if (lists.learn(params, currentView())) announce(lists.stale(currentView()));
    changed.fire();
  }

  function announceChange({ kinds }: CatalogueChange): void {
    announce(lists.toAnnounce(kinds, currentView()));
    changed.fire();
  }

  function announce(kinds: ReadonlySet<ListKind>): void {
    if (state.kind !== 'initialized') return;
    for (const kind of kinds) notify(`notifications/${kind}/list_changed`);
  }

  /** A server says something to this client, naming resources as it knows them. */
  function tell(serverKey: string, notice: RawMessage, relatedTo?: JsonRpcId): void {
    // What servers say while they start is not for a client that has not said a word yet.
    if (!('client' in state)) return;
    const uri = notice.method === 'notifications/resources/updated' ? notice.param('uri') : undefined;
    const told = typeof uri === 'string' ? currentView()?.wireUri(serverKey, uri) : undefined;
    relay(told === undefined ? notice : notice.with({ params: { uri: JSON.stringify(told) } }), relatedTo);
  }

  /** As the server said it. */
  function relay(notice: RawMessage, relatedTo?: JsonRpcId): void {
    peer.relay(notice, relatedTo).catch((error: unknown) => undelivered(notice, error));
  }

  /** `relatedTo`: the request whose stream carries it, where a transport has one for each. */
  function notify(method: string, params?: Readonly<Record<string, unknown>>, relatedTo?: JsonRpcId): void {
    peer.notify(method, params, relatedTo).catch((error: unknown) => undelivered({ method }, error));
  }

  function undelivered({ method }: Pick<RawMessage, 'method'>, error: unknown): void {
    log.log('debug', 'A notice did not reach its client', { session: id, method, error: String(error) });
  }

  function currentView(): CatalogueView | undefined {
    return 'profile' in state ? scope.view(state.profile) : undefined;
  }

  function touch(newCalls: number): void {
    activity = { calls: activity.calls + newCalls, lastActiveAt: clock.now() };
    if (newCalls > 0) changed.fire();
  }

  function end(reason?: Error): void {
    if (state.kind === 'closed') return;
    state = { kind: 'closed' };
    subscription.dispose();
    catalogue.dispose();
    ended.abort();
    calls.cancelAll();
    participant.dispose();
    log.log('debug', 'Session ended', {
      session: id,
      ...(reason === undefined ? {} : { reason: reason.message }),
    });
    closed.fire();
  }

  function view(): ClientView {
    const current = 'client' in state ? state : undefined;
    const title = current?.client.title;
    return {
      id,
      name: current?.client.name ?? '',
      version: current?.client.version ?? '',
      ...(title === undefined ? {} : { title }),
      via: options.via,
      connectedAt,
      nameStyle:
        current?.profile.style ??
        options.askedStyle ??
        (options.only === undefined ? options.programDefault : 'raw'),
      ...(lists.revision === undefined ? {} : { listRevision: lists.revision }),
      stale: lists.stale(currentView()).size > 0,
      listedTools: currentView()?.tools.length ?? 0,
      ...activity,
      ...(options.bridge === undefined ? {} : { bridgeVersion: options.bridge.version }),
    };
  }

  return {
    id,
    view,
    onChange: changed.event,
    onClosed: closed.event,
    start: () => peer.start(),
    async close() {
      // A bridge knows better than we do what may be asked again, and answers its client itself.
      if (options.via !== 'bridge') await calls.failAll(hubEnds());
      end();
      await peer.close();
    },
  };
}
