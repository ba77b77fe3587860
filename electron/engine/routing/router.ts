import { toProblem } from '../../../shared/error/problem.ts';
import type { Decision } from '../../../shared/model/access/access.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { LinkedResources } from '../catalogue/linked-resources.ts';
import { RpcError } from '../jsonrpc/message.ts';
import type { RawMessage } from '../jsonrpc/raw-message.ts';
import { type Instances, noInstances, type Supervisor } from '../servers/contract.ts';
import { CallAttempts, type CallTask, type ServerCallOptions } from './call-attempts.ts';
import { CallEntry, isolateErrors } from './call-entry.ts';
import {
  type CallAuthorizer,
  type CallListener,
  hubSessionId,
  type RouteRequest,
  type Router,
} from './contract.ts';
import { toRpcError } from './error-map.ts';
import { findLinks, linkingMethods } from './find-links.ts';
import { ProgressTokens } from './progress-tokens.ts';
import { kindOf, outcomeOf } from './resilience/failure.ts';
import { type IdempotencyKeys, idempotencyKeyOf, type KeyedCall } from './resilience/idempotency.ts';
import type { Resilience } from './resilience/resilience.ts';
import { retryUnsentOnce } from './resilience/retry.ts';
import { type Route, resolveRoute, routeToServer, type StateOf } from './resolve-route.ts';
import { RetryAndFallback } from './retry-and-fallback.ts';

export interface RouterOptions {
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
  /** Observes every call that has a target server. */
  readonly calls?: CallListener;
  /** Records the resources that results link to. */
  readonly links?: LinkedResources;
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random?: () => number;
}

/**
 * Creates a router that resolves requests by name; see {@link Router}. Disposing stops progress; calls in
 * progress still get responses.
 */
export function createRouter(options: RouterOptions): Router & Disposable {
  return new RpcRouter(options);
}

class RpcRouter implements Router, Disposable {
  readonly #clock: Clock;
  readonly #access: CallAuthorizer | undefined;
  readonly #keys: IdempotencyKeys | undefined;
  readonly #listener: CallListener | undefined;
  readonly #links: LinkedResources | undefined;
  readonly #tokens = new ProgressTokens();
  readonly #subscriptions: readonly Disposable[];
  readonly #attempts: CallAttempts;
  readonly #retryAndFallback: RetryAndFallback;
  readonly #stateOf: StateOf;
  #lastId = 0;

  constructor({ supervisor, clock, waitMs = 30_000, resilience, access, calls, ...rest }: RouterOptions) {
    const { instances = noInstances, optionsOf = () => undefined, random = Math.random } = rest;
    const tokens = this.#tokens;
    this.#clock = clock;
    this.#stateOf = (key) => supervisor.serverFor(key, hubSessionId)?.state;
    this.#access = access;
    this.#keys = resilience?.keys;
    this.#listener = calls && isolateErrors(calls);
    this.#links = rest.links;
    this.#subscriptions = [
      supervisor.onNotification(({ key, notification }) => tokens.deliver(key, notification)),
      instances.onNotification(({ server, notification }) => tokens.deliver(server.id, notification)),
    ];
    this.#attempts = new CallAttempts({ supervisor, clock, tokens, waitMs, optionsOf, resilience });
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

  forward(request: RouteRequest): Promise<RawMessage> {
    let route: Route;
    let decision: Decision | undefined;
    try {
      route = resolveTarget(request, this.#stateOf);
      decision = this.#access && authorize(this.#access, request, route);
    } catch (error) {
      return Promise.reject(this.#reportUnroutable(request, error));
    }
    try {
      const task = this.#begin(request, route, decision);
      return decision?.effect === 'ask' ? this.#sendWhenApproved(task, route) : this.#start(task, route);
    } catch (error) {
      return Promise.reject(asRpcError(error));
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#tokens.clear();
  }

  #reportUnroutable({ sessionId, message }: RouteRequest, thrown: unknown): RpcError {
    const error = asRpcError(thrown);
    this.#listener?.unroutable?.({ sessionId, request: message, at: this.#clock.now(), error });
    return error;
  }

  #begin(request: RouteRequest, route: Route, decision: Decision | undefined): CallTask {
    this.#lastId += 1;
    const entry = new CallEntry(this.#lastId, request, route, this.#clock.now());
    entry.decision = decision;
    this.#listener?.started(entry);
    return { request, entry, progress: undefined, connection: undefined, deadlineAt: undefined };
  }

  /** Waits for approval first, and informs the client meanwhile. */
  async #sendWhenApproved(task: CallTask, route: Route): Promise<RawMessage> {
    const { request } = task;
    try {
      task.progress = this.#tokens.watch(route.serverKey, request.message, request.onProgress);
      const notify = (message: string) => task.progress?.announce(message);
      if (route.tool !== undefined) await this.#access?.requestApproval(request, route.tool, notify);
    } catch (error) {
      task.progress?.dispose();
      throw this.#fail(task, error);
    }
    return this.#start(task, route);
  }

  #start(task: CallTask, route: Route): Promise<RawMessage> {
    const keyed = this.#keys && keyedCall(task.request, route);
    if (this.#keys === undefined || keyed === undefined) return this.#send(task, route);
    return this.#sendWithKey(task, route, this.#keys, keyed);
  }

  async #send(task: CallTask, route: Route): Promise<RawMessage> {
    try {
      return this.#complete(task, await this.#attempts.run(task, route));
    } catch (error) {
      return await this.#sendAfterFailure(task, route, error);
    } finally {
      task.progress?.dispose();
    }
  }

  async #sendAfterFailure(task: CallTask, route: Route, error: unknown): Promise<RawMessage> {
    try {
      return this.#complete(task, await this.#retryAndFallback.run(task, route, error));
    } catch (finalError) {
      throw this.#fail(task, finalError);
    }
  }

  /** Sends a call with an idempotency key, whose first result is returned for every later one. */
  async #sendWithKey(
    task: CallTask,
    route: Route,
    keys: IdempotencyKeys,
    call: KeyedCall,
  ): Promise<RawMessage> {
    try {
      const { answer, repeated } = await keys.run(call, (isDoubtful) =>
        this.#attempts
          .run(task, route)
          .catch((error: unknown) => this.#retryAndFallback.run(task, route, error, isDoubtful)),
      );
      task.entry.repeated = repeated;
      return this.#complete(task, answer);
    } catch (error) {
      throw this.#fail(task, error);
    } finally {
      task.progress?.dispose();
    }
  }

  #complete(task: CallTask, answer: RawMessage): RawMessage {
    const { entry, request } = task;
    if (request.keepProgress !== undefined && task.progress !== undefined) {
      request.keepProgress(task.progress);
      task.progress = undefined;
    }
    request.watcher?.ended();
    this.#noteLinks(entry, answer);
    if (this.#listener === undefined) return answer;
    entry.outcome = 'ok';
    entry.answer = answer;
    entry.endedAt = this.#clock.now();
    this.#listener.ended(entry);
    return answer;
  }

  #noteLinks({ method, serverKey, fallback }: CallEntry, answer: RawMessage): void {
    const answering = fallback?.serverKey ?? serverKey;
    if (this.#links === undefined || !linkingMethods.has(method) || !this.#links.needsLinksOf(answering))
      return;
    for (const uri of findLinks(answer)) this.#links.add(answering, uri);
  }

  #fail({ entry, request }: CallTask, thrown: unknown): RpcError {
    const error = asRpcError(thrown);
    request.watcher?.ended(error);
    if (this.#listener === undefined) return error;
    entry.outcome = outcomeOf(kindOf(error, request.signal));
    entry.answer = error.received;
    entry.error = error;
    entry.endedAt = this.#clock.now();
    this.#listener.ended(entry);
    return error;
  }
}

function asRpcError(thrown: unknown): RpcError {
  return thrown instanceof RpcError ? thrown : toRpcError(toProblem(thrown));
}

/** Throws the error for the client if the request is denied. */
function authorize(access: CallAuthorizer, { sessionId }: RouteRequest, route: Route): Decision | undefined {
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

function keyedCall({ sessionId, message, signal }: RouteRequest, { tool }: Route): KeyedCall | undefined {
  const key = tool && idempotencyKeyOf(message);
  return tool && key !== undefined ? { key, sessionId, tool, request: message, signal } : undefined;
}

function resolveTarget({ message, view, serverKey }: RouteRequest, stateOf: StateOf): Route {
  return serverKey === undefined ? resolveRoute(message, view, stateOf) : routeToServer(serverKey);
}
