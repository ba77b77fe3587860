import type { Clock } from '../base/clock.ts';
import type { ParamChanges, RawMessage } from '../rpc/raw-message.ts';
import type { Connection, SupervisedServer, Supervisor } from '../supervise/contract.ts';
import type { CallEntry } from './call-entry.ts';
import type { RouteRequest } from './contract.ts';
import { callTimedOut, serverUnavailable } from './error-map.ts';
import { type CallLimit, startUpstreamRequest, type UpstreamRequest } from './leg.ts';
import type { Route } from './locate.ts';
import type { CallProgress, ProgressTokens } from './progress-tokens.ts';
import { currentConnection, waitForConnection } from './reach.ts';
import { kindOf, verdictFor } from './resilience/failure.ts';
import type { CallGate } from './resilience/gate.ts';
import type { Resilience } from './resilience/resilience.ts';

/** Settings for calls to one server. */
export interface ServerCallOptions {
  /**
   * Maximum time for a call, in milliseconds, from its first attempt at this server to the end of the last.
   */
  readonly callTimeout?: number | undefined;
  /** Maximum number of concurrent tool calls. */
  readonly concurrency?: number | undefined;
  /** Canonical ids of fallback tools by tool, in order of preference. */
  readonly fallback?: ReadonlyMap<string, readonly string[]> | undefined;
}

export interface CallAttemptOptions {
  readonly supervisor: Pick<Supervisor, 'serverFor'>;
  readonly clock: Clock;
  readonly tokens: ProgressTokens;
  /** How long a call waits for a server that is not connected, in milliseconds. */
  readonly waitMs: number;
  readonly optionsOf: (serverKey: string) => ServerCallOptions | undefined;
  readonly resilience: Resilience | undefined;
}

/** A client's call while it is in progress. */
export interface CallTask {
  readonly request: RouteRequest;
  readonly entry: CallEntry;
  /** Set for a call with a progress token once it has a server. */
  progress: CallProgress | undefined;
  /** The connection used for the last attempt. */
  connection: Connection | undefined;
  /** End of the server's time limit, counted from the first attempt; undefined if it has no limit. */
  deadlineAt: number | undefined;
}

/** Makes single attempts at calls. */
export class CallAttempts {
  readonly #options: CallAttemptOptions;

  constructor(options: CallAttemptOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the raw response. Rejects with RpcError (the server's or ours) or with the error of the
   * connection.
   */
  run(task: CallTask, route: Route): Promise<RawMessage> {
    const { supervisor, optionsOf, resilience } = this.#options;
    const { serverKey, tool } = route;
    const server = supervisor.serverFor(serverKey, task.request.sessionId);
    if (server === undefined) return Promise.reject(serverUnavailable(serverKey));
    const config = optionsOf(serverKey);
    const gate = tool && resilience?.gateFor(tool, config?.concurrency);
    return this.#send(task, route, server, config?.callTimeout, gate);
  }

  async #send(
    task: CallTask,
    route: Route,
    server: SupervisedServer,
    timeout: number | undefined,
    gate: CallGate | undefined,
  ): Promise<RawMessage> {
    const { sessionId, signal } = task.request;
    let upstream: UpstreamRequest | undefined;
    try {
      if (gate !== undefined) await gate.enter(sessionId, signal);
      const changes = this.#changes(task, route, server);
      const connection = currentConnection(server);
      upstream =
        connection === undefined
          ? await this.#sendWhenConnected(task, route, server, timeout)
          : this.#start(task, server, connection, changes, timeout);
      const answer = await upstream.answer;
      gate?.leave('success');
      return answer;
    } catch (error) {
      this.#recordFailure(task, route, gate, error);
      throw error;
    } finally {
      upstream?.dispose();
    }
  }

  /** Each attempt has its own progress token. */
  #changes(task: CallTask, { changes }: Route, { id }: SupervisedServer): ParamChanges {
    const { message, onProgress } = task.request;
    if (task.progress === undefined) task.progress = this.#options.tokens.watch(id, message, onProgress);
    else task.progress.restart(id);
    return task.progress === undefined ? changes : { ...changes, metaToken: task.progress.token };
  }

  /**
   * Sends the call when the server is reachable. If the server fails but another one serves this session by
   * then (isolation may change to shared), the call goes there.
   */
  async #sendWhenConnected(
    task: CallTask,
    route: Route,
    server: SupervisedServer,
    timeout: number | undefined,
  ): Promise<UpstreamRequest> {
    const { sessionId, signal } = task.request;
    const connection = await this.#waitForConnection(task, server).catch((error: unknown) => {
      const other = this.#options.supervisor.serverFor(route.serverKey, sessionId);
      if (other === undefined || other === server || signal.aborted) throw error;
      return other;
    });
    if ('key' in connection) return this.#sendWhenConnected(task, route, connection, timeout);
    const ready = task.request.watcher?.reached?.(server, connection);
    if (ready !== undefined) await ready;
    return this.#start(task, server, connection, this.#changes(task, route, server), timeout);
  }

  #waitForConnection(
    { request, progress, deadlineAt: deadline }: CallTask,
    server: SupervisedServer,
  ): Promise<Connection> {
    const { clock } = this.#options;
    const leftMs = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.now();
    const { connectBy: reachBy = Number.POSITIVE_INFINITY } = request;
    const waitMs = Math.min(this.#options.waitMs, leftMs, reachBy - clock.now());
    return waitForConnection({ server, signal: request.signal, clock, waitMs, progress });
  }

  #start(
    task: CallTask,
    server: SupervisedServer,
    connection: Connection,
    changes: ParamChanges,
    timeout: number | undefined,
  ): UpstreamRequest {
    const { clock } = this.#options;
    const limit = timeout === undefined ? undefined : this.#limit(task, timeout);
    if (limit !== undefined && limit.leftMs <= 0) {
      throw callTimedOut(server.key, task.request.message.method, limit.totalMs);
    }
    const upstream = startUpstreamRequest({
      server,
      connection,
      request: task.request,
      changes,
      clock,
      limit,
    });
    task.connection = connection;
    task.entry.attempts += 1;
    return upstream;
  }

  #limit(task: CallTask, total: number): CallLimit {
    const now = this.#options.clock.now();
    task.deadlineAt ??= now + total;
    return { totalMs: total, leftMs: task.deadlineAt - now };
  }

  #recordFailure({ request }: CallTask, { tool }: Route, gate: CallGate | undefined, error: unknown): void {
    const verdict = verdictFor(kindOf(error, request.signal));
    if (gate !== undefined) gate.leave(verdict);
    else if (tool !== undefined) this.#options.resilience?.circuits.record(tool, verdict);
  }
}
