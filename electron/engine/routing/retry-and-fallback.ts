import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { CatalogueView, NamedItem } from '../catalogue/contract.ts';
import { canonicalId } from '../catalogue/wire-name.ts';
import { ConnectionClosedError, type Continuation, InterruptedError, RpcError } from '../jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../jsonrpc/raw-message.ts';
import { connectionOf, type SupervisedServer, type Supervisor } from '../servers/contract.ts';
import type { ActiveCall } from './active-calls.ts';
import type { CallAttempts, ServerCallOptions } from './call-attempts.ts';
import type { CallAuthorizer } from './contract.ts';
import {
  cancelled,
  interrupted,
  outcomeUnknown,
  serverUnavailable,
  toRpcError,
  withDetails,
  withFullStop,
} from './error-map.ts';
import { type FailureKind, isFinal, kindOf, mayHaveRun } from './resilience/failure.ts';
import { isSafeToRepeat, mayRepeat, type RetryRules, retryDelay } from './resilience/retry.ts';
import { type Route, routeToTool } from './resolve-route.ts';

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
  async run(call: ActiveCall, route: Route, error: unknown, isDoubtful = false): Promise<RawMessage> {
    const retried = await this.#retry(call, route, failureOf(call, error));
    if ('answer' in retried) return retried.answer;
    const { worst } = retried;
    const finalError = this.#finalError(call, route, worst);
    const mayFallBack = !isDoubtful || isSafeToRepeat(route.tool?.item);
    const fallbacks = mayFallBack ? this.#fallbacks(call, route, worst) : [];
    return fallbacks.length === 0
      ? Promise.reject(finalError)
      : this.#fallBack(call, route, fallbacks, finalError);
  }

  async #retry(
    call: ActiveCall,
    route: Route,
    first: Failure,
  ): Promise<{ readonly answer: RawMessage } | { readonly worst: Failure }> {
    const { attempts, clock } = this.#options;
    let [last, worst] = [first, first];
    let waitedMs = 0;
    for (;;) {
      const delayMs = this.#retryDelay(call, route, last, waitedMs);
      if (delayMs === undefined) return { worst };
      waitedMs += delayMs;
      if (delayMs > 0) await waitFor(clock, delayMs, call.signal);
      const continuation = continuationOf(last.error);
      if (continuation?.resume !== undefined)
        call.resumed = continuation.resume(call.asked.message) as RawRequest;
      try {
        return { answer: await attempts.run(call, route) };
      } catch (error) {
        last = failureOf(call, error);
        // The fact that it may have run stays true, whatever happens later, until a server answers.
        if (isFinal(last.kind) || mayHaveRun(last.kind) || !mayHaveRun(worst.kind)) worst = last;
      }
    }
  }

  #retryDelay(
    call: ActiveCall,
    route: Route,
    { kind, error }: Failure,
    waitedMs: number,
  ): number | undefined {
    const { clock, retry, random } = this.#options;
    // A retry would begin the call again, while its client can go on.
    const { state, resume } = continuationOf(error) ?? {};
    if (state !== undefined && resume === undefined) return undefined;
    const server = this.#server(call, route);
    const failed = {
      kind,
      error,
      attempts: call.attempts,
      mayRepeat: mayRepeat(call.request, route.tool?.item),
      hasReconnected: server === undefined || connectionOf(server) !== call.sent?.connection,
      waitedMs,
      leftMs: call.deadlineAt === undefined ? undefined : call.deadlineAt - clock.now(),
    };
    return retryDelay(failed, retry, random);
  }

  /**
   * Returns the allowed fallbacks: none if the call got its answer, or may have run and must not run twice.
   */
  #fallbacks(call: ActiveCall, { serverKey, tool }: Route, { kind, error }: Failure): readonly string[] {
    // The server has begun with it.
    if (call.resumed !== undefined || continuationOf(error) !== undefined) return [];
    if (tool === undefined || isFinal(kind) || (mayHaveRun(kind) && !isSafeToRepeat(tool.item))) return [];
    // A task lives at the server that created it, and its session looks for it there.
    if (call.request.param('task') !== undefined) return [];
    return this.#options.optionsOf(serverKey)?.fallback?.get(tool.name) ?? [];
  }

  async #fallBack(
    call: ActiveCall,
    failed: Route,
    ids: readonly string[],
    finalError: RpcError,
  ): Promise<RawMessage> {
    const tried: string[] = [];
    const skipped: string[] = [];
    call.skipped = skipped;
    for (const id of ids) {
      const route = routeToFallback(id, call.view, failed);
      if (route?.tool === undefined || !this.#mayReplace(call, route.tool)) {
        skipped.push(id);
        continue;
      }
      call.fallback = route.tool;
      call.deadlineAt = undefined;
      try {
        return await this.#options.attempts.run(call, route);
      } catch (error) {
        const failure = failureOf(call, error);
        const isOver =
          isFinal(failure.kind) || (mayHaveRun(failure.kind) && !isSafeToRepeat(route.tool.item));
        if (isOver) throw this.#finalError(call, route, failure);
        tried.push(id);
      }
    }
    throw withDetails(finalError, { fallbacks: { tried, skipped } });
  }

  /** Checks whether the tool may replace another one without approval. */
  #mayReplace({ sessionId }: ActiveCall, tool: NamedItem): boolean {
    return (this.#options.access?.decide(sessionId, tool).effect ?? 'allow') === 'allow';
  }

  /** Creates the error for the client of a call that failed for good. */
  #finalError(call: ActiveCall, route: Route, { kind, error }: Failure): RpcError {
    if (kind === 'cancelled') return cancelled();
    const { attempts, method } = call;
    const server = this.#server(call, route);
    const gone: Pick<SupervisedServer, 'key' | 'state'> = {
      key: route.serverKey,
      state: { status: 'disabled', since: 0 },
    };
    const continuation = continuationOf(error);
    if (continuation !== undefined) return interrupted(route.serverKey, method, continuation.state);
    if (kind === 'lost') return outcomeUnknown(server ?? gone, method, attempts, closeReason(error));
    if (kind === 'unsent' && call.resumed !== undefined)
      return interrupted(route.serverKey, method, undefined);
    if (kind === 'unsent') {
      const unavailable = serverUnavailable(route.serverKey, server?.state, closeReason(error));
      return withDetails(unavailable, { attempts, ...retryAfterIn(error) });
    }
    if (!(error instanceof RpcError)) return toRpcError(toProblem(error));
    return isFinal(kind) ? error : withDetails(error, { attempts });
  }

  #server({ sessionId }: ActiveCall, { serverKey }: Route): SupervisedServer | undefined {
    return this.#options.supervisor.serverFor(serverKey, sessionId);
  }
}

function failureOf(call: ActiveCall, error: unknown): Failure {
  return { kind: kindOf(error, call), error };
}

function continuationOf(error: unknown): Continuation | undefined {
  return error instanceof InterruptedError ? error.continuation : undefined;
}

/** Returns the reason why a connection ended, if known. */
function closeReason(error: unknown): Problem | undefined {
  const isKnown = error instanceof ConnectionClosedError && error.cause instanceof ProblemError;
  if (!isKnown) return undefined;
  const why = toProblem(error.cause);
  const { retryAfter } = retryAfterIn(error);
  if (retryAfter === undefined) return why;
  const seconds = Math.max(1, Math.ceil(retryAfter / 1000));
  const sentence = `${withFullStop(why.sentence)} It asks for a pause of ${seconds} s.`;
  return { ...why, sentence, fix: `Try again in ${seconds} s.` };
}

function retryAfterIn(error: unknown): { readonly retryAfter?: number } {
  const asked = error instanceof ConnectionClosedError ? error.retryAfterMs : undefined;
  return asked === undefined ? {} : { retryAfter: asked };
}

/**
 * Resolves a fallback, which the config names by canonical id. Returns undefined if it is unknown, turned
 * off, hidden from this client, or the tool itself. Fallbacks of fallbacks are ignored, so that there are no
 * cycles.
 */
function routeToFallback(id: string, view: CatalogueView | undefined, failed: Route): Route | undefined {
  const lookup = view?.findTool(id);
  if (lookup?.kind !== 'found') return undefined;
  const found = canonicalId(lookup.target.serverKey, lookup.target.name);
  const failedId = canonicalId(failed.serverKey, failed.name ?? '');
  return found === id && found !== failedId ? routeToTool(lookup.target) : undefined;
}

/** Resolves after `milliseconds`; rejects at once if the client no longer waits. */
function waitFor(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    const timer = clock.after(milliseconds, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = () => {
      timer.dispose();
      signal.removeEventListener('abort', onAbort);
      reject(cancelled());
    };
    signal.addEventListener('abort', onAbort);
  });
}
