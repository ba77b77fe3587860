import { scalarText } from '../../../../shared/json.ts';
import { isListMethod, type ListMethod } from '../../../../shared/model/mcp.ts';
import { logLevelOf } from '../../../../shared/model/server/log-levels.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { CatalogueView, NameLookup } from '../../catalogue/contract.ts';
import { statusTool } from '../../catalogue/status-tool.ts';
import type { RawMessage, RawRequest } from '../../jsonrpc/raw-message.ts';
import type { CallRequest } from '../../routing/contract.ts';
import { addressOf, isKnown, locate } from '../../routing/resolve-route.ts';
import type { Caller, SessionEndpoint } from '../../routing/server-requests/contract.ts';
import { type CompactCalls, createCompactCalls } from './catalogue/compact-calls.ts';
import type { SessionCatalogue } from './catalogue/session-catalogue.ts';
import { createInitializeResult } from './initialize-result.ts';
import type { SessionConnection, SessionServices } from './session-contract.ts';
import { methodNotFound, notInitialized, unknownLogLevel } from './session-errors.ts';
import { createTaskRequests, type TaskRequests } from './session-tasks.ts';
import { withTaskOption } from './task-option.ts';

export interface SessionRequestsOptions {
  readonly caller: Caller;
  readonly services: SessionServices & SessionConnection;
  readonly catalogue: SessionCatalogue;
  readonly endpoint: SessionEndpoint;
  /** Aborts when the session ends. */
  readonly ended: AbortSignal;
  /** Receives progress of the client's request. */
  readonly onProgress: (request: RawRequest, notification: RawMessage) => void;
  /** Called when a list has been sent. */
  readonly onListed: () => void;
}

/** Answers the requests of a client. */
export class SessionRequests {
  readonly #options: SessionRequestsOptions;
  readonly #tasks: TaskRequests;
  /** Undefined if the list of tools is never a short one. */
  readonly #compactCalls: CompactCalls | undefined;

  constructor(options: SessionRequestsOptions) {
    const { services, catalogue, endpoint } = options;
    const { find, only } = services;
    this.#options = options;
    this.#tasks = createTaskRequests(endpoint.tasks, (message, serverKey) =>
      this.#call(message, this.#viewFor(message.method), { serverKey }),
    );
    this.#compactCalls =
      find === undefined || only !== undefined
        ? undefined
        : createCompactCalls({
            find,
            catalogue: () => catalogue.current,
            whenSettled: (view) => catalogue.lists.ready('tools/list').then(() => catalogue.view ?? view),
            call: (message, view) => this.#callTool(message, view),
          });
  }

  /** Returns the `initialize` result. Rejects with RpcError if the session's only server is not available. */
  initializeResult(requestedVersion: unknown): Promise<unknown> {
    return createInitializeResult(this.#options, requestedVersion);
  }

  /** Answers a request of an initialized client, with the current view. */
  answer(message: RawRequest, view: CatalogueView): Promise<unknown> {
    const { method } = message;
    if (method === 'tools/call') return this.#callTool(message, view);
    if (isListMethod(method)) return this.#list(method);
    switch (method) {
      case 'prompts/get':
      case 'resources/read':
      case 'completion/complete':
        return this.#call(message, this.#viewKnowing(message, view));
      case 'logging/setLevel':
        return this.#setLogLevel(message.params?.level);
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(message, view);
      case 'tasks/get':
      case 'tasks/result':
      case 'tasks/update':
      case 'tasks/cancel':
        return this.#tasks.forward(message);
      case 'tasks/list':
        return this.#tasks.list(message);
      default:
        return this.#callUnknown(message, view);
    }
  }

  /** See `Session`. */
  inputSchemaOf(tool: string): unknown {
    const { catalogue } = this.#options;
    const listed = catalogue.view?.findTool(tool);
    const mayCome = listed?.kind === 'unknown' && tool !== statusTool.name && !this.#isCompact;
    if (!mayCome) return schemaOf(listed);
    return catalogue.lists.complete('tools/list').then(() => schemaOf(catalogue.view?.findTool(tool)));
  }

  #viewFor(method: string): CatalogueView {
    const { view } = this.#options.catalogue;
    if (view === undefined) throw notInitialized(method);
    return view;
  }

  /** Calls a server; never settles if the client cancels, because a cancelled request gets no response. */
  #call(
    message: RawRequest,
    view: CatalogueView | Promise<CatalogueView>,
    { serverKey, keepProgress }: Pick<CallRequest, 'serverKey' | 'keepProgress'> = {},
  ): Promise<unknown> {
    const { caller, services, onProgress } = this.#options;
    return services.router.call({
      sessionId: caller.sessionId,
      caller,
      message,
      requestId: message.id,
      view,
      onProgress: (notification) => onProgress(message, notification),
      keepProgress,
      serverKey,
    });
  }

  /** Waits for starting servers if a name is unknown, because it may belong to one of them. */
  #viewKnowing(message: RawRequest, view: CatalogueView): CatalogueView | Promise<CatalogueView> {
    if (isKnown(message.method, addressOf(message), view)) return view;
    const { catalogue } = this.#options;
    return catalogue.lists.complete(listOfMethod.get(message.method)).then(() => catalogue.view ?? view);
  }

  #callTool(message: RawRequest, view: CatalogueView): Promise<unknown> {
    const own = this.#isCompact ? this.#compactCalls?.answer(message, view) : undefined;
    return own ?? this.#callListed(message, view);
  }

  get #isCompact(): boolean {
    return this.#options.catalogue.compact.choice !== undefined;
  }

  #callListed(message: RawRequest, view: CatalogueView): Promise<unknown> {
    const known = this.#viewKnowing(message, view);
    if (known instanceof Promise) return this.#callUnlisted(message, view, known);
    // Checked only if there can be tasks, because it parses all arguments.
    const mayBeTask = this.#options.catalogue.taskServers.size > 0;
    return mayBeTask ? this.#callAsTask(message, known) : this.#call(message, known);
  }

  /** Calls a tool that the client's view does not know (yet). */
  #callUnlisted(message: RawRequest, view: CatalogueView, known: Promise<CatalogueView>): Promise<unknown> {
    const compactCalls = this.#compactCalls;
    // The client may still have an earlier short list.
    const own = compactCalls?.answer(message, view);
    if (own !== undefined) return own;
    const { status } = this.#options.catalogue;
    const name = message.param('name');
    if (name === statusTool.name && status !== undefined)
      return Promise.resolve(textResult(toolsNowListed(view) ?? status()));
    const called = this.#callAsTask(message, known);
    if (compactCalls === undefined || !this.#isCompact) return called;
    return called.catch(async (error: unknown) => compactCalls.explain(error, name, await known));
  }

  async #callAsTask(message: RawRequest, view: CatalogueView | Promise<CatalogueView>): Promise<unknown> {
    const { request, mayBeTask } = withTaskOption(message, await view, this.#options.catalogue.taskServers);
    if (!mayBeTask) return this.#call(request, view);
    let progress: Disposable | undefined;
    const keepProgress = (handedOver: Disposable) => {
      progress = handedOver;
    };
    const answer = await this.#call(request, view, { keepProgress });
    const { serverKey } = locate(message.method, addressOf(message), await view);
    return this.#tasks.register(serverKey, answer, progress);
  }

  async #list(method: ListMethod): Promise<unknown> {
    const { catalogue, onListed } = this.#options;
    await catalogue.lists.complete(method);
    await catalogue.beforeList();
    const listed = catalogue.lists.answer(method, this.#viewFor(method));
    onListed();
    return listed;
  }

  async #setLogLevel(asked: unknown): Promise<unknown> {
    const level = logLevelOf(asked);
    if (level === undefined) throw unknownLogLevel(asked);
    await this.#options.endpoint.setLogLevel(level);
    await this.#options.services.recorder?.recordLevel(level);
    return {};
  }

  async #subscribe(message: RawRequest, view: CatalogueView): Promise<unknown> {
    const { endpoint, services } = this.#options;
    const known = await this.#viewKnowing(message, view);
    const { serverKey, params } = locate(message.method, addressOf(message), known);
    const uri = scalarText(params.uri);
    const ask = () => this.#call(message, this.#viewKnowing(message, known));
    const isOn = message.method === 'resources/subscribe';
    const answered = isOn
      ? await endpoint.subscribe(serverKey, uri, ask)
      : await endpoint.unsubscribe(serverKey, uri, ask);
    await services.recorder?.recordSubscription(scalarText(message.params?.uri), isOn);
    return answered;
  }

  /** Forwards unknown methods to a directly connected server, which may support more than the hub. */
  async #callUnknown(message: RawRequest, view: CatalogueView): Promise<unknown> {
    const { only } = this.#options.services;
    if (only === undefined) throw methodNotFound(message.method);
    return this.#call(message, view, { serverKey: only });
  }
}

/** The list that contains the name in a request; absent if it may be in more than one. */
const listOfMethod: ReadonlyMap<string, ListMethod> = new Map([
  ['tools/call', 'tools/list'],
  ['prompts/get', 'prompts/list'],
]);

function schemaOf(found: NameLookup | undefined): unknown {
  return found?.kind === 'found' ? found.target.item.inputSchema : undefined;
}

function textResult(text: string): unknown {
  return { content: [{ type: 'text', text }] };
}

/**
 * Returns the answer for a client with an outdated list once tools are available; undefined while they are
 * not.
 */
function toolsNowListed({ tools, isComplete }: CatalogueView): string | undefined {
  if (!isComplete) return undefined;
  const count = tools.filter(({ name }) => name !== statusTool.name).length;
  if (count === 0) return undefined;
  return `Patchbay has ${count === 1 ? '1 tool' : `${count} tools`} for this client now. List the tools again.`;
}
