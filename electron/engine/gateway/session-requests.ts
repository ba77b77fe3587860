import type { ListMethod } from '../../../shared/schema/bridge-hello.ts';
import type { Disposable } from '../base/emitter.ts';
import type { Catalogue, CatalogueView } from '../catalogue/contract.ts';
import { isListMethod } from '../catalogue/list-answer.ts';
import { statusTool } from '../catalogue/status-tool.ts';
import type { SessionEndpoint } from '../route/backchannel-contract.ts';
import type { RouteRequest } from '../route/contract.ts';
import { addressOf, isKnown, locate } from '../route/locate.ts';
import { isLogLevel } from '../route/log-levels.ts';
import type { RawMessage, RawRequest } from '../rpc/raw-message.ts';
import type { ClientCalls } from './calls.ts';
import { type CompactCallsOptions, createCompactCalls } from './compact-calls.ts';
import type { CompactMode } from './compact-mode.ts';
import type { SessionScope } from './scope.ts';
import type { SessionConnection, SessionRecorder, SessionServices } from './session-contract.ts';
import { methodNotFound, notInitialized, unknownLogLevel } from './session-errors.ts';
import type { SessionLists } from './session-lists.ts';
import { createTaskRequests } from './session-tasks.ts';
import { statusAnswer, toolsNowListed } from './status-tool.ts';

export interface SessionRequestOptions {
  readonly scope: SessionScope;
  readonly calls: ClientCalls;
  readonly endpoint: SessionEndpoint;
  readonly lists: SessionLists;
  /** See {@link SessionSurroundings}. */
  readonly status?: (() => string) | undefined;
  /** The current view; undefined once the session has closed. */
  readonly view: () => CatalogueView | undefined;
  /** Undefined if all lists are complete. */
  readonly compact?: CompactRequests | undefined;
  /** Called before a list is created, after servers have had their time. */
  readonly beforeList: () => Promise<void>;
  readonly recorder?: SessionRecorder | undefined;
  /** Called when a list has been sent. */
  readonly onListed: () => void;
  /** Receives progress of the client's request. */
  readonly onProgress: (request: RawRequest, notice: RawMessage) => void;
}

export interface CompactRequests extends Pick<CompactCallsOptions, 'find' | 'catalogue'> {
  /** Tells whether the list is a short one. */
  readonly isEnabled: () => boolean;
}

export function compactRequests(
  { only, find }: SessionServices & SessionConnection,
  mode: CompactMode,
  catalogue: () => Catalogue,
): CompactRequests | undefined {
  if (only !== undefined || find === undefined) return undefined;
  return { find, catalogue, isEnabled: () => mode.choice !== undefined };
}

/** The list that contains the name in a request; absent if it may be in more than one. */
const listOfMethod: ReadonlyMap<string, ListMethod> = new Map([
  ['tools/call', 'tools/list'],
  ['prompts/get', 'prompts/list'],
]);

/** Answers the requests of an initialized client. */
export function createSessionRequests(
  options: SessionRequestOptions,
): (message: RawRequest, view: CatalogueView) => Promise<unknown> {
  const { scope, calls, endpoint: participant, lists, compact, onProgress } = options;
  const compactCalls =
    compact &&
    createCompactCalls({
      ...compact,
      whenSettled: (view) => lists.ready('tools/list').then(() => options.view() ?? view),
      call: callTool,
    });
  const tasks = createTaskRequests(participant.tasks, (message, serverKey) =>
    calls.run(message, currentView(), onProgress, { serverKey }),
  );

  function answer(message: RawRequest, view: CatalogueView): Promise<unknown> {
    const { method } = message;
    if (method === 'tools/call') return callTool(message, view);
    if (isListMethod(method)) return list(method);
    switch (method) {
      case 'prompts/get':
      case 'resources/read':
      case 'completion/complete':
        return forward(message, view);
      case 'logging/setLevel':
        return setLogLevel(message.params?.level);
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return subscribe(message, view);
      case 'tasks/get':
      case 'tasks/result':
      case 'tasks/cancel':
        return tasks.forward(message);
      case 'tasks/list':
        return tasks.list(message);
      default:
        return forwardUnknown(message, view);
    }
  }

  function currentView(): CatalogueView {
    const view = options.view();
    if (view === undefined) throw notInitialized('This');
    return view;
  }

  function forward(message: RawRequest, view: CatalogueView): Promise<unknown> {
    return send(message, awaitViewFor(message, view));
  }

  function send(
    message: RawRequest,
    view: CatalogueView | Promise<CatalogueView>,
    keepProgress?: RouteRequest['keepProgress'],
  ): Promise<unknown> {
    return calls.run(message, view, onProgress, { keepProgress });
  }

  /** Waits for starting servers if a name is unknown, because it may belong to one of them. */
  function awaitViewFor(message: RawRequest, view: CatalogueView): CatalogueView | Promise<CatalogueView> {
    if (isKnown(message.method, addressOf(message), view)) return view;
    return lists.complete(listOfMethod.get(message.method)).then(() => options.view() ?? view);
  }

  function callTool(message: RawRequest, view: CatalogueView): Promise<unknown> {
    const own = compact?.isEnabled() === true ? compactCalls?.answer(message, view) : undefined;
    return own ?? callListed(message, view);
  }

  function callListed(message: RawRequest, view: CatalogueView): Promise<unknown> {
    const known = awaitViewFor(message, view);
    // The client may still have an earlier short list.
    const ownAnswer = known instanceof Promise ? compactCalls?.answer(message, view) : undefined;
    if (ownAnswer !== undefined) return ownAnswer;
    const isOwn = known instanceof Promise && message.param('name') === statusTool.name;
    if (isOwn && options.status !== undefined)
      return Promise.resolve(statusAnswer(toolsNowListed(view) ?? options.status()));
    // Checked only if there can be tasks, because it parses all arguments.
    const mayBeTask = known instanceof Promise || scope.taskServers().size > 0;
    const called = mayBeTask ? callAsTask(message, known) : send(message, known);
    if (compactCalls === undefined || compact?.isEnabled() !== true || !(known instanceof Promise))
      return called;
    return called.catch(async (error: unknown) =>
      compactCalls.explain(error, message.param('name'), await known),
    );
  }

  async function callAsTask(
    message: RawRequest,
    view: CatalogueView | Promise<CatalogueView>,
  ): Promise<unknown> {
    if (message.params?.task === undefined) return send(message, view);
    let progress: Disposable | undefined;
    const answer = await send(message, view, (handedOver) => {
      progress = handedOver;
    });
    const { serverKey } = locate(message.method, addressOf(message), await view);
    return tasks.register(serverKey, answer, progress);
  }

  async function list(method: ListMethod): Promise<unknown> {
    await lists.complete(method);
    await options.beforeList();
    const view = options.view();
    if (view === undefined) throw notInitialized(method);
    const listed = lists.answer(method, view);
    options.onListed();
    return listed;
  }

  async function setLogLevel(level: unknown): Promise<unknown> {
    if (!isLogLevel(level)) throw unknownLogLevel(level);
    await participant.setLogLevel(level);
    await options.recorder?.recordLevel(level);
    return {};
  }

  async function subscribe(message: RawRequest, view: CatalogueView): Promise<unknown> {
    const known = await awaitViewFor(message, view);
    const { serverKey, params } = locate(message.method, addressOf(message), known);
    const uri = String(params.uri);
    const ask = () => forward(message, known);
    const isOn = message.method === 'resources/subscribe';
    const answered = isOn
      ? await participant.subscribe(serverKey, uri, ask)
      : await participant.unsubscribe(serverKey, uri, ask);
    await options.recorder?.recordSubscription(String(message.params?.uri), isOn);
    return answered;
  }

  /** Forwards unknown methods to a directly connected server, which may support more than the hub. */
  async function forwardUnknown(message: RawRequest, view: CatalogueView): Promise<unknown> {
    if (scope.only === undefined) throw methodNotFound(message.method);
    const { only: serverKey } = scope;
    return calls.run(message, view, onProgress, { serverKey });
  }

  return answer;
}
