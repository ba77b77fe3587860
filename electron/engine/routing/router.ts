import { toProblem } from '../../../shared/error/problem.ts';
import type { Decision } from '../../../shared/model/access/access.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { CatalogueView } from '../catalogue/contract.ts';
import type { LinkedResources } from '../catalogue/linked-resources.ts';
import { RpcError } from '../jsonrpc/message.ts';
import type { RawMessage } from '../jsonrpc/raw-message.ts';
import { type Instances, noInstances, type Supervisor } from '../servers/contract.ts';
import type { ActiveCall, ActiveCalls } from './active-calls.ts';
import { CallAttempts, type ServerCallOptions } from './call-attempts.ts';
import { type CallAuthorizer, type CallRequest, hubSessionId } from './contract.ts';
import { cancelled, toRpcError } from './error-map.ts';
import { findLinks, linkingMethods } from './find-links.ts';
import { ProgressTokens } from './progress-tokens.ts';
import { kindOf, outcomeOf } from './resilience/failure.ts';
import { type IdempotencyKeys, idempotencyKeyOf, type KeyedCall } from './resilience/idempotency.ts';
import type { Resilience } from './resilience/resilience.ts';
import { retryUnsentOnce } from './resilience/retry.ts';
import { type Route, resolveRoute, routeToServer, type StateOf } from './resolve-route.ts';
import { RetryAndFallback } from './retry-and-fallback.ts';
import type { ServerRequests } from './server-requests/server-requests.ts';

export interface RouterOptions {
  /** Holds the calls in progress, and the observers of calls. */
  readonly calls: ActiveCalls;
  readonly supervisor: Pick<Supervisor, 'serverFor' | 'onNotification'>;
  /** Per-session instances; none by default. */
  readonly instances?: Pick<Instances, 'onNotification'>;
  readonly clock: Clock;
  /** How long a call waits for a server that is still starting, in milliseconds. */
  readonly waitMs?: number;
  /** Returns the call settings of a server; called for each call. */
  readonly optionsOf?: (serverKey: string) => ServerCallOptions | undefined;
  /**
   * Retries, circuits, fallbacks, limits. Without it a call is sent once, and once more if it was certainly
   * not sent.
   */
  readonly resilience?: Resilience;
  /** Decides who may call what (REQ-MCP-AUTH-001..003); without it everything is allowed. */
  readonly access?: CallAuthorizer;
  /** Routes what servers send during a call to its session. */
  readonly serverRequests?: Pick<ServerRequests, 'ready' | 'sent' | 'ended'>;
  /** Records the resources that results link to. */
  readonly links?: LinkedResources;
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random?: () => number;
}

/**
 * Finds a call's server by name, sends the raw message, and answers exactly once. Disposing stops progress;
 * calls in progress still get responses.
 */
export class Router implements Disposable {
  readonly calls: ActiveCalls;
  readonly #clock: Clock;
  readonly #access: CallAuthorizer | undefined;
  readonly #keys: IdempotencyKeys | undefined;
  readonly #links: LinkedResources | undefined;
  readonly #serverRequests: RouterOptions['serverRequests'];
  readonly #tokens = new ProgressTokens();
  readonly #subscriptions: readonly Disposable[];
  readonly #attempts: CallAttempts;
  readonly #retryAndFallback: RetryAndFallback;
  readonly #stateOf: StateOf;

  constructor({ supervisor, clock, waitMs = 30_000, resilience, access, ...rest }: RouterOptions) {
    const { instances = noInstances, optionsOf = () => undefined, random = Math.random } = rest;
    const { serverRequests } = rest;
    const tokens = this.#tokens;
    this.calls = rest.calls;
    this.#clock = clock;
    this.#stateOf = (key) => supervisor.serverFor(key, hubSessionId)?.state;
    this.#access = access;
    this.#keys = resilience?.keys;
    this.#links = rest.links;
    this.#serverRequests = serverRequests;
    this.#subscriptions = [
      supervisor.onNotification(({ key, notification }) => tokens.deliver(key, notification)),
      instances.onNotification(({ server, notification }) => tokens.deliver(server.id, notification)),
    ];
    this.#attempts = new CallAttempts({
      supervisor,
      clock,
      tokens,
      waitMs,
      optionsOf,
      resilience,
      serverRequests,
    });
    const { retry } = resilience ?? { retry: retryUnsentOnce };
    this.#retryAndFallback = new RetryAndFallback({
      attempts: this.#attempts,
      supervisor,
      clock,
      optionsOf,
      access,
      retry,
      random,
    });
  }

  /**
   * Makes a call of `tools/call`, `prompts/get`, `resources/read`, `resources/subscribe`,
   * `resources/unsubscribe` or `completion/complete`, or of any other method if `serverKey` is given. Resolves
   * with the raw response. Rejects with RpcError only; never settles if the client cancelled the call itself,
   * because a cancelled request gets no response.
   */
  call(request: CallRequest): Promise<RawMessage> {
    const { view, signal } = request;
    const call = this.calls.begin(request);
    if (signal !== undefined) followSignal(call, signal);
    const answered =
      view instanceof Promise ? view.then((known) => this.#run(call, known)) : this.#run(call, view);
    // Avoids `await`, whose cost would dominate this path that runs for every call.
    return answered.then(
      (answer) => this.calls.end(call) ?? answer,
      (error: unknown) => this.calls.end(call) ?? Promise.reject(error),
    );
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#tokens.clear();
  }

  #run(call: ActiveCall, view: CatalogueView): Promise<RawMessage> {
    let route: Route;
    try {
      route = resolveTarget(call.asked, view, this.#stateOf);
      call.decision = this.#access && authorize(this.#access, call.sessionId, route);
    } catch (thrown) {
      const error = asRpcError(thrown);
      const { sessionId, request } = call;
      this.calls.notifyUnroutable({ sessionId, request, at: this.#clock.now(), error });
      return Promise.reject(error);
    }
    try {
      call.route = route;
      call.view = view;
      call.startedAt = this.#clock.now();
      this.calls.notifyStarted(call);
      return call.decision?.effect === 'ask' ? this.#sendWhenApproved(call, route) : this.#start(call, route);
    } catch (error) {
      return Promise.reject(asRpcError(error));
    }
  }

  /** Waits for approval first, and informs the client meanwhile. */
  async #sendWhenApproved(call: ActiveCall, route: Route): Promise<RawMessage> {
    const askedAt = this.#clock.now();
    try {
      call.progress = this.#tokens.watch(route.serverKey, call);
      const { sessionId, request: message, signal } = call;
      const notify = (text: string) => call.progress?.announce(text);
      if (route.tool !== undefined)
        await this.#access?.requestApproval({ sessionId, message, signal }, route.tool, notify);
      call.humanWaitMs = this.#clock.now() - askedAt;
    } catch (error) {
      call.humanWaitMs = this.#clock.now() - askedAt;
      call.progress?.dispose();
      throw this.#fail(call, error);
    }
    return this.#start(call, route);
  }

  #start(call: ActiveCall, route: Route): Promise<RawMessage> {
    const keyed = this.#keys && keyedCall(call, route);
    if (this.#keys === undefined || keyed === undefined) return this.#send(call, route);
    return this.#sendWithKey(call, route, this.#keys, keyed);
  }

  async #send(call: ActiveCall, route: Route): Promise<RawMessage> {
    try {
      return this.#complete(call, await this.#attempts.run(call, route));
    } catch (error) {
      return await this.#sendAfterFailure(call, route, error);
    } finally {
      call.progress?.dispose();
    }
  }

  async #sendAfterFailure(call: ActiveCall, route: Route, error: unknown): Promise<RawMessage> {
    try {
      return this.#complete(call, await this.#retryAndFallback.run(call, route, error));
    } catch (finalError) {
      throw this.#fail(call, finalError);
    }
  }

  /** Sends a call with an idempotency key, whose first result is returned for every later one. */
  async #sendWithKey(
    call: ActiveCall,
    route: Route,
    keys: IdempotencyKeys,
    keyed: KeyedCall,
  ): Promise<RawMessage> {
    try {
      const { answer, repeated } = await keys.run(keyed, (isDoubtful) =>
        this.#attempts
          .run(call, route)
          .catch((error: unknown) => this.#retryAndFallback.run(call, route, error, isDoubtful)),
      );
      call.repeated = repeated;
      return this.#complete(call, answer);
    } catch (error) {
      throw this.#fail(call, error);
    } finally {
      call.progress?.dispose();
    }
  }

  #complete(call: ActiveCall, answer: RawMessage): RawMessage {
    if (call.asked.keepProgress !== undefined && call.progress !== undefined) {
      call.asked.keepProgress(call.progress);
      call.progress = undefined;
    }
    this.#noteLinks(call, answer);
    call.outcome = 'ok';
    call.answer = answer;
    this.#finish(call, undefined);
    return answer;
  }

  #noteLinks({ method, serverKey, fallback }: ActiveCall, answer: RawMessage): void {
    const answering = fallback?.serverKey ?? serverKey;
    if (this.#links === undefined || !linkingMethods.has(method) || !this.#links.needsLinksOf(answering))
      return;
    for (const uri of findLinks(answer)) this.#links.add(answering, uri);
  }

  #fail(call: ActiveCall, thrown: unknown): RpcError {
    const error = asRpcError(thrown);
    call.outcome = outcomeOf(kindOf(error, call));
    call.answer = error.received;
    call.error = error;
    this.#finish(call, error);
    return error;
  }

  #finish(call: ActiveCall, error: RpcError | undefined): void {
    call.endedAt = this.#clock.now();
    this.#serverRequests?.ended(call, error);
    this.calls.notifyEnded(call);
  }
}

/** Cancels the call when the signal aborts. */
function followSignal(call: ActiveCall, signal: AbortSignal): void {
  const abort = () => call.abort(signal.reason, cancelled());
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
}

function asRpcError(thrown: unknown): RpcError {
  return thrown instanceof RpcError ? thrown : toRpcError(toProblem(thrown));
}

/** Throws the error for the client if the request is denied. */
function authorize(access: CallAuthorizer, sessionId: string, route: Route): Decision | undefined {
  const { tool, serverKey } = route;
  if (tool === undefined) {
    const refusal = access.refusesServer(sessionId, serverKey);
    if (refusal !== undefined) throw refusal;
    return undefined;
  }
  const decision = access.decide(sessionId, tool);
  if (decision.effect === 'deny') throw access.refusal(sessionId, tool, decision);
  return decision;
}

function keyedCall(call: ActiveCall, { tool }: Route): KeyedCall | undefined {
  const { sessionId, request } = call;
  const key = tool && idempotencyKeyOf(request);
  return tool && key !== undefined ? { key, sessionId, tool, request, signal: call.signal } : undefined;
}

function resolveTarget({ message, serverKey }: CallRequest, view: CatalogueView, stateOf: StateOf): Route {
  return serverKey === undefined ? resolveRoute(message, view, stateOf) : routeToServer(serverKey);
}
