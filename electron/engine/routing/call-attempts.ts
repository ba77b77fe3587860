import type { Clock } from '../base/clock.ts';
import type { ParamChanges, RawMessage } from '../jsonrpc/raw-message.ts';
import {
  type Connection,
  connectionOf,
  type SupervisedServer,
  type Supervisor,
} from '../servers/contract.ts';
import type { ActiveCall } from './active-calls.ts';
import { callTimedOut, serverUnavailable } from './error-map.ts';
import type { ProgressTokens } from './progress-tokens.ts';
import { kindOf, verdictFor } from './resilience/failure.ts';
import type { CallGate, Resilience } from './resilience/resilience.ts';
import type { Route } from './resolve-route.ts';
import type { ServerRequests } from './server-requests/server-requests.ts';
import { type CallLimit, UpstreamRequest } from './upstream-request.ts';
import { waitForConnection } from './wait-for-connection.ts';

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
  /** Learns what is sent where. */
  readonly serverRequests: Pick<ServerRequests, 'ready' | 'sent'> | undefined;
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
  run(call: ActiveCall, route: Route): Promise<RawMessage> {
    const { supervisor, optionsOf, resilience } = this.#options;
    const { serverKey, tool } = route;
    const server = supervisor.serverFor(serverKey, call.sessionId);
    if (server === undefined) return Promise.reject(serverUnavailable(serverKey));
    const config = optionsOf(serverKey);
    const gate = tool && resilience?.gateFor(tool, config?.concurrency);
    return this.#send(call, route, server, config?.callTimeout, gate);
  }

  async #send(
    call: ActiveCall,
    route: Route,
    server: SupervisedServer,
    timeout: number | undefined,
    gate: CallGate | undefined,
  ): Promise<RawMessage> {
    let upstream: UpstreamRequest | undefined;
    try {
      if (gate !== undefined) await gate.enter(call);
      const changes = this.#changes(call, route, server);
      const connection = connectionOf(server);
      upstream =
        connection === undefined
          ? await this.#sendWhenConnected(call, route, server, timeout)
          : this.#start(call, server, connection, changes, timeout);
      const answer = await upstream.answer;
      gate?.leave('success');
      return answer;
    } catch (error) {
      this.#recordFailure(call, route, gate, error);
      throw error;
    } finally {
      upstream?.dispose();
    }
  }

  /** Each attempt has its own progress token. */
  #changes(call: ActiveCall, { changes }: Route, { id }: SupervisedServer): ParamChanges {
    if (call.progress === undefined) call.progress = this.#options.tokens.watch(id, call);
    else call.progress.restart(id);
    if (call.progress !== undefined) return { ...changes, metaToken: call.progress.token };
    return isEmptyMeta(call.request.paramText('meta')) ? { ...changes, meta: '{}' } : changes;
  }

  /**
   * Sends the call when the server is reachable. If the server fails but another one serves this session by
   * then (isolation may change to shared), the call goes there.
   */
  async #sendWhenConnected(
    call: ActiveCall,
    route: Route,
    server: SupervisedServer,
    timeout: number | undefined,
  ): Promise<UpstreamRequest> {
    const connection = await this.#waitForConnection(call, server).catch((error: unknown) => {
      const other = this.#options.supervisor.serverFor(route.serverKey, call.sessionId);
      if (other === undefined || other === server || call.aborted) throw error;
      return other;
    });
    if ('key' in connection) return this.#sendWhenConnected(call, route, connection, timeout);
    const ready = this.#options.serverRequests?.ready(call, server, connection);
    if (ready !== undefined) await ready;
    return this.#start(call, server, connection, this.#changes(call, route, server), timeout);
  }

  #waitForConnection(
    { asked, signal, progress, deadlineAt: deadline }: ActiveCall,
    server: SupervisedServer,
  ): Promise<Connection> {
    const { clock } = this.#options;
    const leftMs = deadline === undefined ? Number.POSITIVE_INFINITY : deadline - clock.now();
    const { connectBy = Number.POSITIVE_INFINITY } = asked;
    const waitMs = Math.min(this.#options.waitMs, leftMs, connectBy - clock.now());
    return waitForConnection({ server, signal, clock, waitMs, progress });
  }

  #start(
    call: ActiveCall,
    server: SupervisedServer,
    connection: Connection,
    changes: ParamChanges,
    timeout: number | undefined,
  ): UpstreamRequest {
    const { clock, serverRequests } = this.#options;
    const limit = timeout === undefined ? undefined : this.#limit(call, timeout);
    if (limit !== undefined && limit.leftMs <= 0) throw callTimedOut(server.key, call.method, limit.totalMs);
    const upstream = new UpstreamRequest({ server, connection, call, changes, clock, limit });
    serverRequests?.sent(call, { server, connection, id: upstream.pending.id });
    call.sent = { server, connection, id: upstream.pending.id };
    call.attempts += 1;
    call.asked.onSent?.(server.key);
    return upstream;
  }

  #limit(call: ActiveCall, total: number): CallLimit {
    const now = this.#options.clock.now();
    call.deadlineAt ??= now + total;
    return { totalMs: total, leftMs: call.deadlineAt - now };
  }

  #recordFailure(call: ActiveCall, { tool }: Route, gate: CallGate | undefined, error: unknown): void {
    const verdict = verdictFor(kindOf(error, call));
    if (gate !== undefined) gate.leave(verdict);
    else if (tool !== undefined) this.#options.resilience?.circuits.record(tool, verdict);
  }
}

/** Tells whether `_meta` is null or PHP's empty list: servers on the SDKs leave such a request without an answer. */
function isEmptyMeta(meta: string | undefined): boolean {
  return meta === 'null' || meta === '[]';
}
