import type { Problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { JsonRpcId, JsonRpcNotification } from '../rpc/message.ts';
import type { Environment } from './child-env.ts';
import type { Containers } from './containers.ts';
import type { Authorize, Connection, LaunchTarget, ServerOrder, ServerRequest } from './contract.ts';
import type { ForkServer } from './fork-server/fork-server.ts';
import type { ClientIntroduction } from './instances-contract.ts';
import type { Ledger } from './ledger.ts';
import type { ProcessTables } from './process-tables.ts';
import type { RunLog } from './run-log.ts';
import type { SupervisorTiming } from './supervisor-options.ts';

/** How one run of a server ended; whoever came first named it. All its processes are gone, unless `left` says so. */
export type RunEnding =
  /** We ended it. */
  | { readonly kind: 'stopped' }
  /** It cannot work before its config or the machine changes. */
  | { readonly kind: 'refused'; readonly problem: Problem }
  /** It ended, or was given up, before its handshake. */
  | { readonly kind: 'early'; readonly problem: Problem }
  /** It ended after its handshake. */
  | { readonly kind: 'lost'; readonly problem: Problem; readonly connectedFor: number }
  /** It was given up while it was connected: it did not answer. */
  | { readonly kind: 'unhealthy'; readonly problem: Problem; readonly connectedFor: number }
  /** A server elsewhere does not answer now; `connectedFor` is 0 if it never did. */
  | { readonly kind: 'unreachable'; readonly problem: Problem; readonly connectedFor: number }
  /** It works, but knows nothing of our session any more. */
  | { readonly kind: 'session-over'; readonly problem: Problem; readonly connectedFor: number }
  | { readonly kind: 'unauthorized'; readonly problem: Problem };

export interface RunResult {
  readonly ending: RunEnding;
  /** Processes that could not be ended, normally none. */
  readonly left: readonly number[];
}

/** A connection as its owner sees it. */
export interface LiveConnection extends Connection {
  /** Requests of clients that wait for their outcome. */
  activeCalls(): number;
}

/** What a run tells while it lasts. */
export interface RunEvents {
  started(facts: { readonly pid?: number; readonly resolvedCommand?: string }): void;
  connected(connection: LiveConnection): void;
  /** The connection has died; what is left of the server is being ended. */
  lost(problem: Problem): void;
  notification(notification: JsonRpcNotification, relatedTo?: JsonRpcId): void;
  /** It has answered a request that was given up: it is done with it. */
  late(id: JsonRpcId): void;
  /** Every request of a client has its outcome. */
  quiet(): void;
  /** The server asks something; the raw answer, or an RpcError thrown. */
  request(request: ServerRequest): Promise<unknown>;
}

/** What every run needs from the supervisor. */
export interface RunPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: () => Promise<Environment>;
  /** See {@link SupervisorOptions}. */
  readonly refreshEnv?: () => Promise<boolean>;
  readonly ledger: Ledger;
  readonly containers: Containers;
  readonly processes: ProcessTables;
  readonly version: string;
  readonly instanceId: string;
  readonly defaultCwd: string;
  readonly timing: SupervisorTiming;
  readonly authorize?: Authorize;
  /** Starts what has to be started again; this program does where there is none. */
  readonly forkServer?: ForkServer;
}

export interface RunOptions<Target extends LaunchTarget = LaunchTarget> {
  readonly key: string;
  readonly target: Target;
  /** Command line or URL that is safe to show. */
  readonly display: string;
  /** It has failed and is started again, which may go on for long. */
  readonly again?: boolean;
  /** Who the server is told its client is; the hub itself by default. */
  readonly introduction?: ClientIntroduction;
  /** See {@link ServerOrder}. */
  readonly written?: NonNullable<ServerOrder['written']>;
  readonly log: RunLog;
  readonly ports: RunPorts;
  readonly events: RunEvents;
  /** Ends the run, at any moment. */
  readonly signal: AbortSignal;
}

/** What {@link whenAborted} resolves with: we ended it. */
export const stopped = { kind: 'stopped' } as const;

export function whenAborted(signal: AbortSignal): Promise<typeof stopped> {
  return new Promise((resolve) => {
    const stop = () => resolve(stopped);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
