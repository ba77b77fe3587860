import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { NamedItem } from '../catalogue/contract.ts';
import { ConnectionClosedError, RpcError } from '../rpc/message.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import type { SupervisedServer, Supervisor } from '../supervise/contract.ts';
import type { Attempts, CallTask, ServerCallOptions } from './attempt.ts';
import type { CallAuthorizer, RouteRequest } from './contract.ts';
import { cancelled, outcomeUnknown, serverUnavailable, toRpcError, withFacts } from './error-map.ts';
import type { Way } from './locate.ts';
import { connected } from './reach.ts';
import { type FailureKind, isFinal, kindOf, mayHaveRun } from './resilience/failure.ts';
import { wayToFallback } from './resilience/fallback-targets.ts';
import { waitFor } from './resilience/pause.ts';
import { isHarmless, mayRepeat } from './resilience/repeatable.ts';
import { pauseBeforeRetry, type RetryRules } from './resilience/retry.ts';

export interface RescueOptions {
  readonly attempts: Attempts;
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
export class Rescue {
  readonly #options: RescueOptions;

  constructor(options: RescueOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the response if a retry or fallback succeeds. Rejects with the RpcError for the client.
   * `isDoubtful` means that an earlier call under the same idempotency key may have run, so that no other
   * tool may replace it.
   */
  async run(task: CallTask, way: Way, error: unknown, isDoubtful = false): Promise<RawMessage> {
    const retried = await this.#retry(task, way, failureOf(task, error));
    if ('answer' in retried) return retried.answer;
    const { worst } = retried;
    const told = this.#told(task, way, worst);
    const mayFallBack = !isDoubtful || isHarmless(way.tool?.item);
    const fallbacks = mayFallBack ? this.#fallbacks(task, way, worst) : [];
    return fallbacks.length === 0 ? Promise.reject(told) : this.#fallBack(task, way, fallbacks, told);
  }

  async #retry(
    task: CallTask,
    way: Way,
    first: Failure,
  ): Promise<{ readonly answer: RawMessage } | { readonly worst: Failure }> {
    const { attempts, clock } = this.#options;
    let [last, worst] = [first, first];
    for (;;) {
      const pause = this.#pause(task, way, last);
      if (pause === undefined) return { worst };
      if (pause > 0) await waitFor(clock, pause, task.request.signal);
      try {
        return { answer: await attempts.run(task, way) };
      } catch (error) {
        last = failureOf(task, error);
        // The fact that it may have run stays true, whatever happens later, until a server answers.
        if (isFinal(last.kind) || mayHaveRun(last.kind) || !mayHaveRun(worst.kind)) worst = last;
      }
    }
  }

  #pause(task: CallTask, way: Way, { kind, error }: Failure): number | undefined {
    const { clock, retry, random } = this.#options;
    const server = this.#server(task, way);
    const failed = {
      kind,
      error,
      attempts: task.entry.attempts,
      mayRepeat: mayRepeat(task.request.message, way.tool?.item),
      movedOn: server === undefined || connected(server) !== task.connection,
      left: task.deadline === undefined ? undefined : task.deadline - clock.now(),
    };
    return pauseBeforeRetry(failed, retry, random);
  }

  /**
   * Returns the allowed fallbacks: none if the call got its answer, or may have run and must not run twice.
   */
  #fallbacks({ request }: CallTask, { serverKey, tool }: Way, { kind }: Failure): readonly string[] {
    if (tool === undefined || isFinal(kind) || (mayHaveRun(kind) && !isHarmless(tool.item))) return [];
    // A task lives at the server that created it, and its session looks for it there.
    if (request.message.param('task') !== undefined) return [];
    return this.#options.optionsOf(serverKey)?.fallback?.get(tool.name) ?? [];
  }

  async #fallBack(task: CallTask, failed: Way, ids: readonly string[], told: RpcError): Promise<RawMessage> {
    const { entry, request } = task;
    const tried: string[] = [];
    const skipped: string[] = [];
    entry.skipped = skipped;
    for (const id of ids) {
      const way = wayToFallback(id, request.view, failed);
      if (way?.tool === undefined || !this.#mayCall(request, way.tool)) {
        skipped.push(id);
        continue;
      }
      entry.fallback = way.tool;
      task.deadline = undefined;
      try {
        return await this.#options.attempts.run(task, way);
      } catch (error) {
        const failure = failureOf(task, error);
        const isOver = isFinal(failure.kind) || (mayHaveRun(failure.kind) && !isHarmless(way.tool.item));
        if (isOver) throw this.#told(task, way, failure);
        tried.push(id);
      }
    }
    throw withFacts(told, { fallbacks: { tried, skipped } });
  }

  /** Checks whether the tool may replace another one without approval. */
  #mayCall({ sessionId }: RouteRequest, tool: NamedItem): boolean {
    return (this.#options.access?.decide(sessionId, tool).effect ?? 'allow') === 'allow';
  }

  /** Creates the error for the client of a call that failed for good. */
  #told(task: CallTask, way: Way, { kind, error }: Failure): RpcError {
    if (kind === 'cancelled') return cancelled();
    const { attempts, method } = task.entry;
    const server = this.#server(task, way);
    const gone: Pick<SupervisedServer, 'key' | 'state'> = {
      key: way.serverKey,
      state: { status: 'disabled', since: 0 },
    };
    if (kind === 'lost') return outcomeUnknown(server ?? gone, method, attempts, causeOf(error));
    if (kind === 'unsent') {
      return withFacts(serverUnavailable(way.serverKey, server?.state, causeOf(error)), { attempts });
    }
    if (!(error instanceof RpcError)) return toRpcError(toProblem(error));
    return isFinal(kind) ? error : withFacts(error, { attempts });
  }

  #server({ request }: CallTask, { serverKey }: Way): SupervisedServer | undefined {
    return this.#options.supervisor.serverFor(serverKey, request.sessionId);
  }
}

function failureOf({ request }: CallTask, error: unknown): Failure {
  return { kind: kindOf(error, request.signal), error };
}

/** Returns the reason why a connection ended, if known. */
function causeOf(error: unknown): Problem | undefined {
  const isKnown = error instanceof ConnectionClosedError && error.cause instanceof ProblemError;
  return isKnown ? toProblem(error.cause) : undefined;
}
