import type { Problem } from '../../../../shared/error/problem.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { JsonRpcId, JsonRpcNotification } from '../../jsonrpc/message.ts';
import type { StreamMemory } from '../../transport/http-client/contract.ts';
import type { Handshake, InitializeParams, ServerRequest } from '../contract.ts';
import type { Environment } from '../environment/child-env.ts';
import type { RunLog } from '../log/run-log.ts';
import type { Containers } from '../process/containers/containers.ts';
import type { PidRegistry } from '../process/orphans/pid-registry.ts';
import type { ProcessTables } from '../process/table/process-tables.ts';
import type { Authorize, LaunchTarget, ServerConfig } from '../server-config.ts';
import type { EraMemory } from './connection/era-memory.ts';
import type { ServerPeer } from './connection/server-connection.ts';
import type { RunEnding } from './run-ending.ts';
import type { SupervisorTiming } from './supervisor-options.ts';

export interface RunResult {
  readonly ending: RunEnding;
  /** Pids that could not be ended; normally none. */
  readonly left: readonly number[];
}

/** Events of a server process. */
export interface RunEvents {
  started(facts: { readonly pid?: number; readonly resolvedCommand?: string }): void;
  /** The server is initialized. */
  connected(peer: ServerPeer, handshake: Handshake): void;
  /** The connection is lost; the rest of the server is being ended. */
  disconnected(problem: Problem): void;
  notification(notification: JsonRpcNotification, relatedTo?: JsonRpcId): void;
  /** The server has answered an abandoned request, and is done with it. */
  lateAnswer(id: JsonRpcId): void;
  /** No client request is pending any more. */
  idle(): void;
  /** The server sends a request; resolves with the raw response, or rejects with an RpcError. */
  request(request: ServerRequest): Promise<unknown>;
}

/** Services that every server process needs from the supervisor. */
export interface RunPorts {
  /** Runs a server once; resolves when all of its processes are gone. */
  readonly run: (options: RunOptions) => Promise<RunResult>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: () => Promise<Environment>;
  /** See {@link SupervisorOptions}. */
  readonly refreshEnv?: () => Promise<boolean>;
  readonly registry: PidRegistry;
  readonly containers: Containers;
  readonly processes: ProcessTables;
  readonly version: string;
  readonly instanceId: string;
  readonly defaultCwd: string;
  readonly timing: SupervisorTiming;
  readonly authorize?: Authorize;
  readonly eras: EraMemory;
  /** By URL of a remote server. */
  readonly sessionStreams: Map<string, StreamMemory>;
}

export interface RunOptions<Target extends LaunchTarget = LaunchTarget> {
  readonly key: string;
  readonly target: Target;
  /** Command line or URL that is safe to show. */
  readonly display: string;
  /** True for a restart after a failure. */
  readonly isRetry?: boolean;
  /** Client's `initialize` params; the hub's own by default. */
  readonly initializeParams?: InitializeParams;
  /** See {@link ServerConfig}. */
  readonly written?: NonNullable<ServerConfig['written']>;
  readonly log: RunLog;
  readonly ports: RunPorts;
  readonly events: RunEvents;
  /** Ends the process, at any moment. */
  readonly signal: AbortSignal;
}

/** Result of {@link whenAborted}: we ended it. */
export const stopped = { kind: 'stopped' } as const;

export function whenAborted(signal: AbortSignal): Promise<typeof stopped> {
  return new Promise((resolve) => {
    const stop = () => resolve(stopped);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
