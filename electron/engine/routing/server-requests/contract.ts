import type { McpLogLevel } from '../../../../shared/model/server/log-levels.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { ListedConnection } from '../../catalogue/listing/listing-reader.ts';
import type { JsonRpcId, JsonRpcNotification } from '../../jsonrpc/message.ts';
import type { RawMessage, RawRequest } from '../../jsonrpc/raw-message.ts';
import type { InitializeParams, InstanceSession } from '../../servers/contract.ts';

export type { InitializeParams };

/** A session, as the target of messages from servers. */
export interface Caller extends InstanceSession {
  /** The only server it sees; undefined if it sees all of them. */
  readonly only?: string;
  /**
   * True if its client is stateless: a message goes to the call that caused it and to no other one, since several
   * programs may share the session.
   */
  isStateless?(): boolean;
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
  /** See CallRequest. */
  readonly keepProgress?: (progress: Disposable) => void;
}

/** A session's endpoint for messages that servers send on their own. Disposed when the session ends. */
export interface SessionEndpoint extends Disposable {
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

/** A task by its server and the server's id. */
export interface TaskLocation {
  readonly serverKey: string;
  readonly taskId: string;
}

/** Loss of a task whose process has ended. Only servers that store tasks across restarts still know it. */
export interface TaskLoss {
  /** True if the task was finished and only its result may be lost. */
  readonly wasFinished: boolean;
  /** True if a later process gave the same id to a task of another session. */
  readonly isTaken: boolean;
  /** Time in epoch milliseconds. */
  readonly at: number;
}

/** A task that was in progress when its process ended. */
export interface LostTask extends TaskLocation {
  /** The session's id of the task. */
  readonly clientTaskId: string;
  readonly createdAt: unknown;
  readonly ttl: unknown;
  readonly at: number;
}

/** Location of a session's task, even if it is lost. */
export interface KnownTaskLocation extends TaskLocation {
  readonly lost: TaskLoss | undefined;
}

/** Properties of a new task. */
export interface NewTask {
  /** Milliseconds for which its server stores it. */
  readonly ttl?: unknown;
  readonly createdAt?: unknown;
  /** Reports the progress of the call that created it, until disposed. */
  readonly progress?: Disposable | undefined;
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

/** Ignores failed notifications whose receiver is going away. */
export function ignore(): void {}
