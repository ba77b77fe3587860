import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { NamedItem } from '../catalogue/contract.ts';
import { ConnectionClosedError, RpcError } from '../rpc/message.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import type { SupervisedServer, Supervisor } from '../supervise/contract.ts';
import type { CallAttempts, CallTask, ServerCallOptions } from './attempt.ts';
import type { CallAuthorizer, RouteRequest } from './contract.ts';
import { cancelled, outcomeUnknown, serverUnavailable, toRpcError, withDetails } from './error-map.ts';
import type { Route } from './locate.ts';
import { currentConnection } from './reach.ts';
import { type FailureKind, isFinal, kindOf, mayHaveRun } from './resilience/failure.ts';
import { routeToFallback } from './resilience/fallback-targets.ts';
import { waitFor } from './resilience/pause.ts';
import { isSafeToRepeat, mayRepeat } from './resilience/repeatable.ts';
import { type RetryRules, retryDelay } from './resilience/retry.ts';

export interface RetryAndFallbackOptions {
  readonly attempts: CallAttempts;
  readonly supervisor: Pick<Supervisor, 'serverFor'>;
  readonly clock: Clock;
  readonly optionsOf: (serverKey: string) => ServerCallOptions | undefined;
  readonly access: CallAuthorizer | undefined;
  readonly retry: RetryRules;
  /** Returns 0 to 1, for the jitter. */
  readonly random: () => number;
}

interface Failure {
  readonly kind: FailureKind;
  readonly error: unknown;
}

/**
 * Handles calls whose first attempt failed: retries as far as that is safe, then tries the fallbacks, and
 * otherwise reports what is known. Calls that succeed at once never get here.
 */
export class RetryAndFallback {
  readonly #options: RetryAndFallbackOptions;

  constructor(options: RetryAndFallbackOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the response if a retry or fallback succeeds. Rejects with the RpcError for the client.
   * `isDoubtful` means that an earlier call under the same idempotency key may have run, so that no other
   * tool may replace it.
   */
  async run(task: CallTask, route: Route, error: unknown, isDoubtful = false): Promise<RawMessage> {
    const retried = await this.#retry(task, route, failureOf(task, error));
    if ('answer' in retried) return retried.answer;
    const { worst } = retried;
    const finalError = this.#finalError(task, route, worst);
    const mayFallBack = !isDoubtful || isSafeToRepeat(route.tool?.item);
    const fallbacks = mayFallBack ? this.#fallbacks(task, route, worst) : [];
    return fallbacks.length === 0
      ? Promise.reject(finalError)
      : this.#fallBack(task, route, fallbacks, finalError);
  }

  async #retry(
    task: CallTask,
    route: Route,
    first: Failure,
  ): Promise<{ readonly answer: RawMessage } | { readonly worst: Failure }> {
    const { attempts, clock } = this.#options;
    let [last, worst] = [first, first];
    for (;;) {
      const delayMs = this.#retryDelay(task, route, last);
      if (delayMs === undefined) return { worst };
      if (delayMs > 0) await waitFor(clock, delayMs, task.request.signal);
      try {
        return { answer: await attempts.run(task, route) };
      } catch (error) {
        last = failureOf(task, error);
        // The fact that it may have run stays true, whatever happens later, until a server answers.
        if (isFinal(last.kind) || mayHaveRun(last.kind) || !mayHaveRun(worst.kind)) worst = last;
      }
    }
  }

  #retryDelay(task: CallTask, route: Route, { kind, error }: Failure): number | undefined {
    const { clock, retry, random } = this.#options;
    const server = this.#server(task, route);
    const failed = {
      kind,
      error,
      attempts: task.entry.attempts,
      mayRepeat: mayRepeat(task.request.message, route.tool?.item),
      hasReconnected: server === undefined || currentConnection(server) !== task.connection,
      leftMs: task.deadlineAt === undefined ? undefined : task.deadlineAt - clock.now(),
    };
    return retryDelay(failed, retry, random);
  }

  /**
   * Returns the allowed fallbacks: none if the call got its answer, or may have run and must not run twice.
   */
  #fallbacks({ request }: CallTask, { serverKey, tool }: Route, { kind }: Failure): readonly string[] {
    if (tool === undefined || isFinal(kind) || (mayHaveRun(kind) && !isSafeToRepeat(tool.item))) return [];
    // A task lives at the server that created it, and its session looks for it there.
    if (request.message.param('task') !== undefined) return [];
    return this.#options.optionsOf(serverKey)?.fallback?.get(tool.name) ?? [];
  }

  async #fallBack(
    task: CallTask,
    failed: Route,
    ids: readonly string[],
    finalError: RpcError,
  ): Promise<RawMessage> {
    const { entry, request } = task;
    const tried: string[] = [];
    const skipped: string[] = [];
    entry.skipped = skipped;
    for (const id of ids) {
      const route = routeToFallback(id, request.view, failed);
      if (route?.tool === undefined || !this.#mayReplace(request, route.tool)) {
        skipped.push(id);
        continue;
      }
      entry.fallback = route.tool;
      task.deadlineAt = undefined;
      try {
        return await this.#options.attempts.run(task, route);
      } catch (error) {
        const failure = failureOf(task, error);
        const isOver =
          isFinal(failure.kind) || (mayHaveRun(failure.kind) && !isSafeToRepeat(route.tool.item));
        if (isOver) throw this.#finalError(task, route, failure);
        tried.push(id);
      }
    }
    throw withDetails(finalError, { fallbacks: { tried, skipped } });
  }

  /** Checks whether the tool may replace another one without approval. */
  #mayReplace({ sessionId }: RouteRequest, tool: NamedItem): boolean {
    return (this.#options.access?.decide(sessionId, tool).effect ?? 'allow') === 'allow';
  }

  /** Creates the error for the client of a call that failed for good. */
  #finalError(task: CallTask, route: Route, { kind, error }: Failure): RpcError {
    if (kind === 'cancelled') return cancelled();
    const { attempts, method } = task.entry;
    const server = this.#server(task, route);
    const gone: Pick<SupervisedServer, 'key' | 'state'> = {
      key: route.serverKey,
      state: { status: 'disabled', since: 0 },
    };
    if (kind === 'lost') return outcomeUnknown(server ?? gone, method, attempts, closeReason(error));
    if (kind === 'unsent') {
      return withDetails(serverUnavailable(route.serverKey, server?.state, closeReason(error)), { attempts });
    }
    if (!(error instanceof RpcError)) return toRpcError(toProblem(error));
    return isFinal(kind) ? error : withDetails(error, { attempts });
  }

  #server({ request }: CallTask, { serverKey }: Route): SupervisedServer | undefined {
    return this.#options.supervisor.serverFor(serverKey, request.sessionId);
  }
}

function failureOf({ request }: CallTask, error: unknown): Failure {
  return { kind: kindOf(error, request.signal), error };
}

/** Returns the reason why a connection ended, if known. */
function closeReason(error: unknown): Problem | undefined {
  const isKnown = error instanceof ConnectionClosedError && error.cause instanceof ProblemError;
  return isKnown ? toProblem(error.cause) : undefined;
}
