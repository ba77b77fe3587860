import { randomUUID } from 'node:crypto';
import { problem } from '../../../shared/error/problem.ts';
import type { ClientView } from '../../../shared/model/client.ts';
import { type GreetedServer, type Greeting, greet, ungreetedError } from '../../../shared/model/greeting.ts';
import { heldListsMethod, type ListMethod, listMethods } from '../../../shared/schema/bridge-hello.ts';
import { heldListsSchema } from '../../../shared/schema/bridge-hello-schema.ts';
import { delay } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { chooseProfile } from '../catalogue/client-table.ts';
import type {
  CatalogueChange,
  CatalogueServer,
  CatalogueView,
  ClientProfile,
  ListKind,
} from '../catalogue/contract.ts';
import { isListMethod, itemsOf, listKeys } from '../catalogue/list-answer.ts';
import { toRpcError } from '../route/error-map.ts';
import { isKnown } from '../route/locate.ts';
import {
  type JsonRpcId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  RpcError,
  rpcErrorCodes,
} from '../rpc/message.ts';
import { createPeer } from '../rpc/peer.ts';
import { createCalls } from './calls.ts';
import { createHeldLists } from './held-lists.ts';
import { type Introduction, readIntroduction } from './introduction.ts';
import type { Session, SessionConnection, SessionSurroundings } from './session-contract.ts';

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
  const { catalogue, views, clock, log } = options;
  const id = randomUUID();
  const connectedAt = clock.now();
  const changed = new Emitter<void>();
  const closed = new Emitter<void>();
  const ended = new AbortController();
  const calls = createCalls(options.router);
  const held = createHeldLists();
  const listsReady = once(() => waitForLists(options, ended.signal));
  let state: State = { kind: 'new' };
  let activity = { calls: 0, lastActiveAt: connectedAt };

  const peer = createPeer(options.transport, {
    request,
    notification,
    noise: (text) => log.log('debug', 'Client sent something that is no message', { session: id, text }),
    closed: end,
  });
  const subscription = catalogue.onChange(announceChange);

  async function request(message: JsonRpcRequest): Promise<unknown> {
    touch(message.method === 'tools/call' ? 1 : 0);
    if (message.method === 'ping') return {};
    if (message.method === 'initialize') return introduce(message.params);
    const view = currentView();
    if (view === undefined) throw refuseUngreeted(message.method);
    if (isListMethod(message.method)) return list(message.method);
    if (forwardedMethods.has(message.method)) {
      const findView = () => viewThatKnows(message, view);
      return calls.run(message, findView, (params) => notify('notifications/progress', params, message.id));
    }
    throw methodNotFound(message.method);
  }

  function introduce(params: unknown): Greeting {
    const client = readIntroduction(params);
    state = { kind: 'greeted', client, profile: profileOf(client, options) };
    changed.fire();
    return greet({
      askedVersion: client.protocolVersion,
      identity: options.identity,
      servers: catalogue.current.servers.map(greetedServer),
      advertise: options.advertise ?? 'all',
    });
  }

  /** A name nobody has heard of may belong to a server that is still starting. */
  async function viewThatKnows({ method, params = {} }: JsonRpcRequest, view: CatalogueView) {
    if (isKnown(method, params, view)) return view;
    await listsReady();
    return currentView() ?? view;
  }

  async function list(method: ListMethod): Promise<unknown> {
    await listsReady();
    const view = currentView();
    if (view === undefined) throw refuseUngreeted(method);
    held.sent(method, views.digest(view, method), view.revision);
    changed.fire();
    return { [listKeys[method]]: itemsOf(view, method) };
  }

  function notification(message: JsonRpcNotification): void {
    touch(0);
    if (message.method === 'notifications/cancelled') cancel(message.params?.requestId);
    if (message.method === 'notifications/initialized') initialized();
    if (message.method === heldListsMethod && options.via === 'bridge') learnHeld(message.params);
  }

  function cancel(requestId: unknown): void {
    if (typeof requestId === 'string' || typeof requestId === 'number') calls.cancel(requestId);
  }

  function initialized(): void {
    if (state.kind !== 'greeted') return;
    state = { ...state, kind: 'initialized' };
    announce(staleKinds());
  }

  function learnHeld(params: unknown): void {
    const parsed = heldListsSchema.safeParse(params);
    if (!parsed.success) return;
    for (const method of listMethods) {
      const digest = parsed.data.lists[method];
      if (digest !== undefined) held.told(method, digest);
    }
    if (parsed.data.announce) announce(staleKinds());
    changed.fire();
  }

  /** A client that holds no list of a kind may still wait for word of it. */
  function announceChange({ kinds }: CatalogueChange): void {
    const stale = staleKinds();
    announce(new Set([...kinds].filter((kind) => stale.has(kind) || !held.holds(kind))));
    changed.fire();
  }

  function announce(kinds: ReadonlySet<ListKind>): void {
    if (state.kind !== 'initialized') return;
    for (const kind of kinds) notify(`notifications/${kind}/list_changed`);
  }

  /** `relatedTo`: the request whose stream carries it, where a transport has one for each. */
  function notify(method: string, params?: Readonly<Record<string, unknown>>, relatedTo?: JsonRpcId): void {
    peer.notify(method, params, relatedTo).catch((error: unknown) => {
      log.log('debug', 'A notice did not reach its client', { session: id, method, error: String(error) });
    });
  }

  function currentView(): CatalogueView | undefined {
    return 'profile' in state ? views.of(catalogue.current, state.profile) : undefined;
  }

  function staleKinds(): ReadonlySet<ListKind> {
    const view = currentView();
    return view === undefined ? new Set() : held.stale((method) => views.digest(view, method));
  }

  function touch(newCalls: number): void {
    activity = { calls: activity.calls + newCalls, lastActiveAt: clock.now() };
    if (newCalls > 0) changed.fire();
  }

  function end(reason?: Error): void {
    if (state.kind === 'closed') return;
    state = { kind: 'closed' };
    subscription.dispose();
    ended.abort();
    calls.cancelAll();
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
      nameStyle: current?.profile.style ?? options.askedStyle ?? options.programDefault,
      ...(held.revision === undefined ? {} : { listRevision: held.revision }),
      stale: staleKinds().size > 0,
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

const forwardedMethods: ReadonlySet<string> = new Set([
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
]);

/** Clients that ask for lists once and never again should get the full ones; but none should wait for a slow server. */
const listPatience = 5_000;

async function waitForLists(
  { ready, clock }: Pick<SessionSurroundings, 'ready' | 'clock'>,
  ended: AbortSignal,
): Promise<void> {
  if (ready === undefined) return;
  const patience = new AbortController();
  const stop = () => patience.abort();
  ended.addEventListener('abort', stop, { once: true });
  await Promise.race([ready(), delay(clock, listPatience, patience.signal)]);
  ended.removeEventListener('abort', stop);
  patience.abort();
}

function profileOf(client: Introduction, options: SessionSurroundings & SessionConnection): ClientProfile {
  return chooseProfile({
    clientName: client.name,
    programDefault: options.programDefault,
    ...(options.askedStyle === undefined ? {} : { asked: options.askedStyle }),
  });
}

function greetedServer({ key, offer }: CatalogueServer): GreetedServer {
  const { capabilities, instructions } = offer;
  return { key, capabilities, ...(instructions === undefined ? {} : { instructions }) };
}

const refuseUngreeted = (method: string) => new RpcError(ungreetedError(method));

function hubEnds(): RpcError {
  const sentence = 'Patchbay was closed while this was under way; whether it took effect is not known.';
  return toRpcError(problem('call.outcome_unknown', sentence, 'Check what it did before you repeat it.'));
}

function methodNotFound(method: string): RpcError {
  return new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}

function once<T>(action: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | undefined;
  return () => {
    outcome ??= action();
    return outcome;
  };
}
