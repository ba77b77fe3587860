import type { Problem } from '../../../shared/error/problem.ts';
import type { LogLine, ServerStatus } from '../../../shared/model/server/server.ts';
import type { ServerUpdate, ToolDifference } from '../../../shared/model/server/server-update.ts';
import type { Disposable, Event } from '../base/emitter.ts';
import type { JsonRpcId, JsonRpcNotification } from '../jsonrpc/message.ts';
import type { PendingRequest } from '../jsonrpc/peer-contract.ts';
import type { ParamChanges, RawMessage, RawRequest } from '../jsonrpc/raw-message.ts';
import type { EraVerdict } from '../transport/modern/era.ts';
import type { ServerConfig } from './server-config.ts';

/** Params of `initialize` that introduce a client to a server. */
export interface InitializeParams {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: Readonly<Record<string, unknown>>;
}

/** The server's result of `initialize`. */
export interface Handshake {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  /** Era of the server, and the reason for it; absent for connections that were not asked. */
  readonly era?: EraVerdict | undefined;
  /** Problems with the handshake that do not prevent using the server. */
  readonly warnings?: readonly Problem[];
}

/**
 * A live, initialized connection to a server. The server's state names the one to use: while a changed config
 * takes over, the state goes from `connected` to `connected` with a new connection. The old one takes no new
 * calls (`forward` rejects with ConnectionClosedError, not sent), but may still work on earlier ones.
 */
export interface Connection {
  readonly handshake: Handshake;
  /** Returns the number of messages received, as a sign of life. */
  received(): number;
  request(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest;
  /** Like `request`, but resolves with the raw response. */
  requestRaw(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest<RawMessage>;
  /**
   * Forwards a client's request, unchanged except for its id and `changes`; resolves with the raw response. A
   * stateless server is told the capabilities of the client.
   */
  forward(request: RawMessage, changes: ParamChanges, client?: ForwardingClient): PendingRequest<RawMessage>;
  /** Sends a notification; `urgent` ones overtake queued messages. */
  notify(method: string, params?: Readonly<Record<string, unknown>>, urgent?: boolean): Promise<void>;
}

/** A session whose request is forwarded; one of a stateless client has the capabilities in each request. */
export interface ForwardingClient extends Pick<InstanceSession, 'initializeParams'> {
  isStateless?(): boolean;
}

/** A request from the server to its client. Pings are answered before they get here. */
export interface ServerRequest {
  /** Raw message. */
  readonly message: RawRequest;
  /**
   * Connection that received it; absent before `initialize` has completed. Ids are unique per connection
   * only, and a server may have two: the current one, and one that still works on old calls or is not in use
   * yet.
   */
  readonly connection?: Connection;
  /** Id of our request on whose stream it arrived; only known over HTTP. */
  readonly relatedTo?: JsonRpcId;
  /**
   * Aborts when the server cancels the request or has ended; no response is sent then. The reason is the
   * server's own.
   */
  readonly signal: AbortSignal;
  /** Sends the server a notification while it waits, such as progress. */
  notify(notice: RawMessage): Promise<void>;
}

/** Resolves with the raw response; an RpcError is sent as it is. */
export type ServerRequestHandler = (key: string, request: ServerRequest) => Promise<unknown>;

/** Response to a request that was abandoned; `id` as sent. */
export interface LateAnswer {
  readonly key: string;
  /** See {@link ServerRequest.connection}. */
  readonly connection?: Connection;
  readonly id: JsonRpcId;
}

/** Notification from a server. */
export interface ServerNotification {
  readonly key: string;
  /** See {@link ServerRequest.connection}. */
  readonly connection?: Connection;
  readonly notification: JsonRpcNotification;
  /** Id of our request on whose stream it arrived; only known over HTTP. */
  readonly relatedTo?: JsonRpcId;
}

/** State of one server: a union, replaced as a whole at each step. */
export type ServerState =
  | { readonly status: 'disabled'; readonly since: number }
  /** Waiting for its first start, or for the next retry. */
  | {
      readonly status: 'disconnected';
      readonly since: number;
      readonly nextTryAt?: number;
      readonly problem?: Problem;
      /** True if nobody uses it: the next {@link SupervisedServer.connection} starts it. */
      readonly asleep?: boolean;
    }
  | {
      readonly status: 'connecting';
      readonly since: number;
      readonly pid?: number;
      readonly resolvedCommand?: string;
    }
  | {
      readonly status: 'connected' | 'degraded';
      readonly since: number;
      readonly connectedAt: number;
      readonly pid?: number;
      readonly resolvedCommand?: string;
      readonly connection: Connection;
      readonly problem?: Problem;
    }
  | { readonly status: 'needs-auth'; readonly since: number; readonly problem: Problem }
  /** `nextTryAt` is the next slow retry of a server that keeps failing. */
  | {
      readonly status: 'error';
      readonly since: number;
      readonly problem: Problem;
      readonly nextTryAt?: number;
    };

/** One supervised server: a single owner for its process, and a single queue for its transitions. */
export interface SupervisedServer {
  readonly key: string;
  /** Unique id: the key for the shared server, never a key for an instance. */
  readonly id: string;
  /** Session that this instance belongs to; absent for the shared server. */
  readonly sessionId?: string | undefined;
  readonly state: ServerState;
  /** Automatic restarts since the hub started. */
  readonly restarts: number;
  /** Pending requests of clients; the hub's own requests do not count. */
  readonly activeCalls: number;
  /** Config change in progress. Its changes are reported as state changes. */
  readonly update: ServerUpdate | undefined;
  readonly log: ServerLog;
  /**
   * Waits for the connection, and wakes a sleeping server. Rejects with ProblemError after `milliseconds`, or
   * when no connection will come.
   */
  connection(milliseconds: number): Promise<Connection>;
}

/** Recent lines of a server's log, bounded in lines and bytes. */
export interface ServerLog {
  readonly lines: readonly LogLine[];
  /** New lines, in batches. */
  readonly onLines: Event<readonly LogLine[]>;
  append(stream: LogLine['stream'], text: string): void;
  clear(): void;
  /** Returns the last non-blank lines of a stream (stderr by default), at most `count`, for evidence. */
  tail(count: number, stream?: LogLine['stream']): readonly string[];
}

export interface ServerStateChange {
  readonly server: SupervisedServer;
  readonly previous: ServerStatus;
}

/** Stands for the hub itself, which no instance serves: it uses the server behind the lists. */
export const hubSessionId = '';

/** A session that may have instances. */
export interface InstanceSession {
  readonly sessionId: string;
  /** Returns its client's `initialize` params; undefined before they are known, and once it has gone. */
  initializeParams(): InitializeParams | undefined;
  /**
   * Called when the session has ended: tells whether its client may return with the same id, so that its
   * instances wait a moment. Without it they do not.
   */
  readonly mayReturn?: (() => Promise<boolean>) | undefined;
}

/** Notification from an instance, for the session of `server` only. */
export interface InstanceNotification {
  readonly server: SupervisedServer;
  /** See {@link ServerRequest.connection}. */
  readonly connection?: Connection;
  readonly notification: JsonRpcNotification;
  readonly relatedTo?: JsonRpcId;
}

/** Response of an instance to a request that was abandoned. */
export interface InstanceLateAnswer {
  readonly connection?: Connection;
  readonly id: JsonRpcId;
}

/** Resolves with the raw response; an RpcError is sent as it is. */
export type InstanceRequestHandler = (server: SupervisedServer, request: ServerRequest) => Promise<unknown>;

/**
 * Processes that belong to one session each, of servers with `isolation: "per-client"`. Started by the first
 * call and ended with the session. Their messages are not reported by the supervisor's own events.
 */
export interface Instances {
  /**
   * Tells whether sessions have their own instances of this server. The process under its key is used only
   * for its lists then.
   */
  isolates(key: string): boolean;
  /** Allows the session to have instances. Disposing ends them, and refuses new ones. */
  admit(session: InstanceSession): Disposable;
  /** Returns all instances of a server. */
  of(key: string): readonly SupervisedServer[];
  /** Returns all instances of a session. */
  ofSession(sessionId: string): readonly SupervisedServer[];
  readonly onState: Event<ServerStateChange>;
  readonly onNotification: Event<InstanceNotification>;
  readonly onLateAnswer: Event<InstanceLateAnswer>;
  /** Sets the handler for requests from instances, replacing an earlier one. */
  serveRequests(handler: InstanceRequestHandler): Disposable;
}

const nothing: Disposable = { dispose: () => {} };

/** Used by programs whose servers are all shared. */
export const noInstances: Instances = {
  isolates: () => false,
  admit: () => nothing,
  of: () => [],
  ofSession: () => [],
  onState: () => nothing,
  onNotification: () => nothing,
  onLateAnswer: () => nothing,
  serveRequests: () => nothing,
};

/** Owns all server processes. */
export interface Supervisor {
  /** Shared servers, and those whose lists stand for all instances; never an instance. */
  readonly servers: ReadonlyMap<string, SupervisedServer>;
  /**
   * Returns the server for this session; undefined for an unknown key. Throws ProblemError if the session
   * cannot have one.
   */
  serverFor(key: string, sessionId: string): SupervisedServer | undefined;
  /** Per-session processes. */
  readonly instances: Instances;
  readonly onState: Event<ServerStateChange>;
  /** Fires for notifications from servers (list_changed, logging, progress…). */
  readonly onNotification: Event<ServerNotification>;
  /** Fires when a server answers a request that was abandoned. */
  readonly onLateAnswer: Event<LateAnswer>;
  /**
   * Sets the handler for requests from servers, replacing an earlier one. Without a handler they are refused.
   */
  serveRequests(handler: ServerRequestHandler): Disposable;
  /**
   * Makes the running servers match: starts, stops, restarts and removes what differs. Returns immediately.
   */
  apply(configs: readonly ServerConfig[]): void;
  /** Ends the process if there is one and starts a new one, from every state, ignoring earlier failures. */
  restart(key: string): void;
  /**
   * Ends a server or instance that is connected but does not respond, with this problem. The restart policy
   * applies.
   */
  fail(id: string, problem: Problem): void;
  /**
   * Puts a server to sleep once its pending calls are answered (within `SupervisorTiming.drain`); a new call
   * wakes it.
   */
  sleep(key: string): void;
  /**
   * Reports that the hub has the server's lists. A server that was started only for them (see
   * `SupervisorOptions.mustListFirst`) and has not been used since goes back to sleep. Harmless for any
   * other.
   */
  markListed(key: string): void;
  /** Ends the old process and starts the new config after an update has failed. */
  forceUpdate(key: string): void;
  /**
   * Discards an update that failed or is complete; the old process keeps serving until its config changes
   * again.
   */
  dismissUpdate(key: string): void;
  /**
   * Starts a server beside whatever runs, passes its connection to `use`, and ends it again. Rejects with
   * ProblemError if it cannot be started, ends early, or `use` fails. Its requests are refused.
   */
  tryConfig<Result>(config: ServerConfig, use: (connection: Connection) => Promise<Result>): Promise<Result>;
  /**
   * Stops taking calls on all servers: new ones are refused with `call.draining`. Resolves when no call is
   * pending, or after `milliseconds`.
   */
  drain(milliseconds: number): Promise<void>;
  /** Cancels a drain: calls are taken again. */
  resume(): void;
  /**
   * Ends every server with its whole process tree; resolves when all are verified gone. Later `apply` calls
   * are ignored.
   */
  shutdown(): Promise<void>;
}

/** Lists of a changed config, compared with the current ones. Nothing takes effect before `commit`. */
export interface PreparedUpdate {
  readonly difference: ToolDifference;
  /** Makes the new lists current. The server's state names the new connection in the same turn. */
  commit(): void;
}

/** Returns the connection of a server that has one. */
export function connectionOf({ state }: Pick<SupervisedServer, 'state'>): Connection | undefined {
  return 'connection' in state ? state.connection : undefined;
}
