import type { Clock } from '../base/clock.ts';
import type { ParamChanges, RawMessage } from '../rpc/raw-message.ts';
import type { Connection, SupervisedServer, Supervisor } from '../supervise/contract.ts';
import type { CallEntry } from './call-entry.ts';
import type { RouteRequest } from './contract.ts';
import { callTimedOut, serverUnavailable } from './error-map.ts';
import { type CallLimit, type RunningLeg, startLeg } from './leg.ts';
import type { Way } from './locate.ts';
import type { ProgressLeg, ProgressTokens } from './progress-tokens.ts';
import { connected, reach } from './reach.ts';
import { kindOf, verdictOn } from './resilience/failure.ts';
import type { Gate } from './resilience/gate.ts';
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

export interface AttemptOptions {
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
  progress: ProgressLeg | undefined;
  /** The connection used for the last attempt. */
  connection: Connection | undefined;
  /** End of the server's time limit, counted from the first attempt; undefined if it has no limit. */
  deadline: number | undefined;
}

/** Makes single attempts at calls. */
export class Attempts {
  readonly #options: AttemptOptions;

  constructor(options: AttemptOptions) {
    this.#options = options;
  }

  /**
   * Resolves with the raw response. Rejects with RpcError (the server's or ours) or with the error of the
   * connection.
   */
  run(task: CallTask, way: Way): Promise<RawMessage> {
    const { supervisor, optionsOf, resilience } = this.#options;
    const { serverKey, tool } = way;
    const server = supervisor.serverFor(serverKey, task.request.sessionId);
    if (server === undefined) return Promise.reject(serverUnavailable(serverKey));
    const config = optionsOf(serverKey);
    const gate = tool && resilience?.gateTo(tool, config?.concurrency);
    return this.#send(task, way, server, config?.callTimeout, gate);
  }

  async #send(
    task: CallTask,
    way: Way,
    server: SupervisedServer,
    timeout: number | undefined,
    gate: Gate | undefined,
  ): Promise<RawMessage> {
    const { sessionId, signal } = task.request;
    let leg: RunningLeg | undefined;
    try {
      if (gate !== undefined) await gate.enter(sessionId, signal);
      const changes = this.#changes(task, way, server);
      const connection = connected(server);
      leg =
        connection === undefined
          ? await this.#beginOnceReached(task, way, server, timeout)
          : this.#begin(task, server, connection, changes, timeout);
      const answer = await leg.answer;
      gate?.leave('success');
      return answer;
    } catch (error) {
      this.#failed(task, way, gate, error);
      throw error;
    } finally {
      leg?.dispose();
    }
  }

  /** Each attempt has its own progress token. */
  #changes(task: CallTask, { changes }: Way, { id }: SupervisedServer): ParamChanges {
    const { message, onProgress } = task.request;
    if (task.progress === undefined) task.progress = this.#options.tokens.watch(id, message, onProgress);
    else task.progress.renew(id);
    return task.progress === undefined ? changes : { ...changes, metaToken: task.progress.token };
  }

  /**
   * Sends the call when the server is reachable. If the server fails but another one serves this session by
   * then (isolation may change to shared), the call goes there.
   */
  async #beginOnceReached(
    task: CallTask,
    way: Way,
    server: SupervisedServer,
    timeout: number | undefined,
  ): Promise<RunningLeg> {
    const { sessionId, signal } = task.request;
    const connection = await this.#reach(task, server).catch((error: unknown) => {
      const other = this.#options.supervisor.serverFor(way.serverKey, sessionId);
      if (other === undefined || other === server || signal.aborted) throw error;
      return other;
    });
    if ('key' in connection) return this.#beginOnceReached(task, way, connection, timeout);
    const settled = task.request.watcher?.reached?.(server, connection);
    if (settled !== undefined) await settled;
    return this.#begin(task, server, connection, this.#changes(task, way, server), timeout);
  }

  #reach({ request, progress, deadline }: CallTask, server: SupervisedServer): Promise<Connection> {
    const { clock } = this.#options;
    const left = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.now();
    const { reachBy = Number.POSITIVE_INFINITY } = request;
    const waitMs = Math.min(this.#options.waitMs, left, reachBy - clock.now());
    return reach({ server, signal: request.signal, clock, waitMs, progress });
  }

  #begin(
    task: CallTask,
    server: SupervisedServer,
    connection: Connection,
    changes: ParamChanges,
    timeout: number | undefined,
  ): RunningLeg {
    const { clock } = this.#options;
    const limit = timeout === undefined ? undefined : this.#limit(task, timeout);
    if (limit !== undefined && limit.left <= 0) {
      throw callTimedOut(server.key, task.request.message.method, limit.total);
    }
    const leg = startLeg({ server, connection, request: task.request, changes, clock, limit });
    task.connection = connection;
    task.entry.attempts += 1;
    return leg;
  }

  #limit(task: CallTask, total: number): CallLimit {
    const now = this.#options.clock.now();
    task.deadline ??= now + total;
    return { total, left: task.deadline - now };
  }

  #failed({ request }: CallTask, { tool }: Way, gate: Gate | undefined, error: unknown): void {
    const verdict = verdictOn(kindOf(error, request.signal));
    if (gate !== undefined) gate.leave(verdict);
    else if (tool !== undefined) this.#options.resilience?.circuits.note(tool, verdict);
  }
}
