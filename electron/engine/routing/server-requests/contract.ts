import type { Disposable } from '../../base/emitter.ts';
import type { ListedConnection } from '../../catalogue/listing/listing-reader.ts';
import type { JsonRpcId, JsonRpcNotification } from '../../jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../../jsonrpc/raw-message.ts';
import type { InitializeParams, InstanceSession } from '../../servers/contract.ts';
import type { Router } from '../contract.ts';
import type { KnownTaskLocation, LostTask, NewTask, TaskLocation } from './task-index.ts';

export type { InitializeParams };

/** A session, as the target of messages from servers. */
export interface Caller extends InstanceSession {
  /** The only server it sees; undefined if it sees all of them. */
  readonly only?: string;
  /**
   * Checks whether its client has access to anything of this server. Servers without such access never reach
   * it.
   */
  sees(serverKey: string): boolean;
  /**
   * Sends a request to the client and resolves with the raw response. Rejects with RpcError, also if the
   * client lacks the capability or has disconnected. Aborting `signal` cancels the request.
   */
  ask(request: ClientBoundRequest): Promise<unknown>;
  /** Sends the client a server's notification unchanged. */
  notify(serverKey: string, notification: RawMessage, relatedTo?: JsonRpcId): void;
  /**
   * Called when the listing of one of its own servers changed; without a connection, the process has ended.
   */
  onListingChanged(serverKey: string, connection: ListedConnection | undefined): void;
}

/** A server's request to a client. */
export interface ClientBoundRequest {
  readonly message: RawRequest;
  /** The client's request that caused it, if known: over HTTP this request is sent on its stream. */
  readonly relatedTo?: JsonRpcId;
  readonly signal: AbortSignal;
  /** Receives the client's progress, under the server's token. */
  readonly onProgress: (notification: RawMessage) => void;
  /** See {@link RouteRequest.keepProgress}. */
  readonly keepProgress?: (progress: Disposable) => void;
}

/** The severities of log messages, most verbose first. */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;

export type McpLogLevel = (typeof logLevels)[number];

/** A session's endpoint for messages that servers send on their own. Disposed when the session ends. */
export interface SessionEndpoint extends Disposable {
  /**
   * Wraps the router so that this session's calls in progress are recorded, and server requests can be
   * attributed to them.
   */
  track(router: Router): Router;
  /** Sets the minimum level of the log messages that the session receives from the servers it sees. */
  setLogLevel(level: McpLogLevel): Promise<void>;
  /** Adds a subscription. Calls `forward` only if no other session has subscribed, and rejects as it does. */
  subscribe(serverKey: string, uri: string, forward: () => Promise<unknown>): Promise<unknown>;
  /** Calls `forward` only if this was the last subscribed session. */
  unsubscribe(serverKey: string, uri: string, forward: () => Promise<unknown>): Promise<unknown>;
  readonly tasks: SessionTasks;
  /** Notifies servers that asked for roots when no client could answer. */
  rootsAvailable(): void;
  /** Handles the status of a task that the client runs for a server. */
  taskStatus(notification: JsonRpcNotification): void;
  /** Notifies the servers that know this client's roots that they changed. */
  rootsChanged(): void;
}

/** The tasks that a session created; it sees no others. */
export interface SessionTasks {
  /** Registers a new task and returns the id that the client uses. */
  register(location: TaskLocation, task: NewTask): string;
  /** Records the status that the client received for a task. */
  onStatus(clientTaskId: unknown, status: unknown): void;
  /** Finds the task with this client id. */
  find(clientTaskId: unknown): KnownTaskLocation | undefined;
  /** Tasks that were in progress when their process ended. */
  interrupted(): readonly LostTask[];
  /** Returns the client's id of a task; undefined if the session did not create it. */
  clientIdOf(location: TaskLocation): string | undefined;
  /** Keys of the servers that run tasks of this session. */
  servers(): readonly string[];
}

/** Routes messages that servers send on their own to the sessions they are meant for, and to no others. */
export interface ServerRequests {
  join(caller: Caller): SessionEndpoint;
  /**
   * Checks whether a session has a subscription or a task there, so that the process must not sleep. `id` is
   * that of a server or an instance.
   */
  hasOpenWork(id: string): boolean;
}
