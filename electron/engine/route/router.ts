import { toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { ConnectionClosedError, RpcError } from '../rpc/message.ts';
import type { RawMessage } from '../rpc/raw-message.ts';
import type { Connection, SupervisedServer, Supervisor } from '../supervise/contract.ts';
import { type Instances, noInstances } from '../supervise/instances-contract.ts';
import type { RouteRequest, Router } from './contract.ts';
import { cancelled, outcomeUnknown, serverUnavailable, toRpcError } from './error-map.ts';
import { type Leg, startLeg } from './leg.ts';
import { findWay, type Way } from './locate.ts';
import { type ProgressLeg, ProgressTokens } from './progress-tokens.ts';

export interface RouterOptions {
  readonly supervisor: Pick<Supervisor, 'serverFor' | 'onNotification'>;
  /** None by default. */
  readonly instances?: Pick<Instances, 'onNotification'>;
  readonly clock: Clock;
  /** How long a call waits for a server that is still starting, in milliseconds. */
  readonly waitMs?: number;
  /** Limit of one call to this server in milliseconds, if the config sets one. */
  readonly callTimeout?: (serverKey: string) => number | undefined;
}

/** Routes requests by name; see {@link Router}. Disposing stops progress notices; calls under way still get answers. */
export function createRouter(options: RouterOptions): Router & Disposable {
  const { supervisor, instances = noInstances, clock, waitMs = 30_000, callTimeout } = options;
  const tokens = new ProgressTokens();
  const progress = [
    supervisor.onNotification(({ key, notification }) => tokens.deliver(key, notification)),
    instances.onNotification(({ server, notification }) => tokens.deliver(server.id, notification)),
  ];

  async function forward(request: RouteRequest): Promise<RawMessage> {
    let watched: ProgressLeg | undefined;
    try {
      const { serverKey, changes } = destinationOf(request);
      const server = supervisor.serverFor(serverKey, request.sessionId);
      if (server === undefined) throw serverUnavailable(serverKey);
      const { message, signal, onSent, onProgress } = request;
      watched = tokens.watch(server.id, message, onProgress);
      const leg: Leg = {
        server,
        message,
        changes: watched === undefined ? changes : { ...changes, metaToken: watched.token },
        signal,
        clock,
        timeout: callTimeout?.(serverKey),
        onSent,
      };
      return await send(leg, waitMs);
    } catch (error) {
      throw error instanceof RpcError ? error : toRpcError(toProblem(error));
    } finally {
      watched?.dispose();
    }
  }

  return {
    forward,
    dispose() {
      for (const subscription of progress) subscription.dispose();
      tokens.clear();
    },
  };
}

function destinationOf({ message, view, serverKey }: RouteRequest): Way {
  return serverKey === undefined ? findWay(message, view) : { serverKey, changes: {} };
}

/** A request that provably did not leave gets one more try, on the connection that follows. */
async function send(leg: Leg, waitMs: number): Promise<RawMessage> {
  const { server } = leg;
  const first = connected(server) ?? (await connectionOf(leg, waitMs));
  const running = startLeg(first, leg);
  try {
    return await running.answer;
  } catch (error) {
    if (!isUnsent(error)) throw lostOr(error, leg);
    return await sendAgain(first, leg, waitMs);
  } finally {
    running.dispose();
  }
}

async function sendAgain(first: Connection, leg: Leg, waitMs: number): Promise<RawMessage> {
  const { server } = leg;
  const second = await connectionOf(leg, waitMs);
  if (second === first) throw serverUnavailable(server.key, server.state);
  const running = startLeg(second, leg);
  try {
    return await running.answer;
  } catch (error) {
    throw isUnsent(error) ? serverUnavailable(server.key, server.state) : lostOr(error, leg);
  } finally {
    running.dispose();
  }
}

function connected({ state }: SupervisedServer): Connection | undefined {
  return 'connection' in state ? state.connection : undefined;
}

/** Waits for a start under way, but not for longer than the client does. */
function connectionOf({ server, signal }: Leg, waitMs: number): Promise<Connection> {
  if (signal.aborted) return Promise.reject(cancelled());
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(cancelled());
    signal.addEventListener('abort', onAbort, { once: true });
    server
      .connection(waitMs)
      .then(resolve, (error) => reject(serverUnavailable(server.key, server.state, toProblem(error))))
      .finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function isUnsent(error: unknown): boolean {
  return error instanceof ConnectionClosedError && !error.sent;
}

/** A lost connection leaves the outcome open; the server's own errors, and ours, stay as they are. */
function lostOr(error: unknown, { server, message }: Leg): unknown {
  if (!(error instanceof ConnectionClosedError)) return error;
  return outcomeUnknown(server.key, message.method, server.state.status);
}
