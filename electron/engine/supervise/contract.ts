import type { Problem } from '../../../shared/error/problem.ts';
import type { LogLine, ServerStatus } from '../../../shared/model/server.ts';
import type { ServerUpdate, ToolDifference } from '../../../shared/model/server-update.ts';
import type { Disposable, Event } from '../base/emitter.ts';
import type { JsonRpcId, JsonRpcNotification } from '../rpc/message.ts';
import type { PendingRequest } from '../rpc/peer-contract.ts';
import type { ParamChanges, RawMessage, RawRequest } from '../rpc/raw-message.ts';
import type { OAuthOptions, OAuthServer, RemoteAuthorization } from '../transport/oauth/contract.ts';
import type { Instances } from './instances-contract.ts';

/** How to run or reach one server; same shape as the config room's target, stated here so that the rooms stay apart. */
export type LaunchTarget =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | {
      readonly kind: 'http' | 'sse';
      readonly explicit: boolean;
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly oauth?: OAuthOptions;
    };

/** Yields the credentials of a server's user. */
export type Authorize = (server: OAuthServer) => RemoteAuthorization;

/** What the supervisor is told about one server. */
export interface ServerOrder {
  readonly key: string;
  readonly enabled: boolean;
  readonly restart: 'always' | 'never';
  /** `auto` by default. */
  readonly start?: 'auto' | 'on-demand';
  /** Milliseconds without a call after which it is put to sleep; never by default. */
  readonly idleStop?: number;
  /** `shared` by default. `per-client`: sessions have processes of their own, see {@link Instances}. */
  readonly isolation?: 'shared' | 'per-client';
  /** How many of those there may be. */
  readonly maxInstances?: number;
  readonly target:
    | { readonly ok: true; readonly value: LaunchTarget }
    | { readonly ok: false; readonly problem: Problem };
  /**
   * A changed fingerprint starts the server anew, an equal one never does. A server that is connected serves on until
   * the new one can: see {@link SupervisedServer.update}.
   */
  readonly fingerprint: string;
  /**
   * Digest of what else the config says of how it runs: a change of it starts a server that rests, or waits for its next
   * try, and no other.
   */
  readonly options?: string;
  /** What starts it again once nothing is tried any more, as a sentence; a changed config or a restart by default. */
  readonly revival?: string | undefined;
  /** Command line or URL that is safe to show, for evidence; without it only the bare command or host is named. */
  readonly display?: string;
  /** What came into the target from variables with secret-looking names; replaced wherever the server repeats it. */
  readonly secrets?: readonly string[];
  /** Parts of the target as they stand in the config, where variables were replaced: for evidence. */
  readonly written?: { readonly command?: string; readonly cwd?: string };
}

/** What a server said of itself in its handshake. */
export interface Handshake {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly serverInfo: Readonly<Record<string, unknown>>;
  readonly instructions?: string;
  /** Problems with the handshake despite which the server is used. */
  readonly warnings?: readonly Problem[];
}

/**
 * A live, handshaken connection to a server. Its server's state names the one to use: while a changed config takes over,
 * the state goes from `connected` to `connected` with another one. One that is no longer named takes no new calls
 * (`forward` rejects with ConnectionClosedError, not sent), but may be at work on old ones for a while.
 */
export interface Connection {
  readonly handshake: Handshake;
  /** How many messages have come from the server: it is alive as long as they come. */
  received(): number;
  request(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest;
  /** As `request`, but resolves with the answer as it came. */
  ask(method: string, params?: Readonly<Record<string, unknown>>): PendingRequest<RawMessage>;
  /** Sends a client's request on, byte for byte but for its id and `changes`; resolves with the raw answer. */
  forward(request: RawMessage, changes: ParamChanges): PendingRequest<RawMessage>;
  /** `urgent` overtakes what still waits to be sent. */
  notify(method: string, params?: Readonly<Record<string, unknown>>, urgent?: boolean): Promise<void>;
}

/** A request that a server makes of its client; pings are answered before they get here. */
export interface ServerRequest {
  /** As the server sent it. */
  readonly message: RawRequest;
  /**
   * The connection it came over, absent before hands are shaken. Ids count for each connection on its own, and a server
   * may have two: the one its state names, and one that is still at work on old calls or not yet in use.
   */
  readonly connection?: Connection;
  /** The id of our request on whose own stream it came; only HTTP can tell. */
  readonly relatedTo?: JsonRpcId;
  /** Aborts when the server takes it back or has ended; no answer is sent then. Its reason is the server's own. */
  readonly signal: AbortSignal;
  /** Tells the server something while it waits: progress. */
  tell(notice: RawMessage): Promise<void>;
}

/** The raw answer; an RpcError thrown is sent as it stands. */
export type ServerRequestHandler = (key: string, request: ServerRequest) => Promise<unknown>;

/** The answer to a request that nobody waits for any more; `id` as it was sent. */
export interface LateAnswer {
  readonly key: string;
  /** See {@link ServerRequest.connection}. */
  readonly connection?: Connection;
  readonly id: JsonRpcId;
}

/** Something a server said of its own accord. */
export interface ServerNotification {
  readonly key: string;
  /** See {@link ServerRequest.connection}. */
  readonly connection?: Connection;
  readonly notification: JsonRpcNotification;
  /** The id of our request on whose own stream it came; only HTTP can tell. */
  readonly relatedTo?: JsonRpcId;
}

/** The state of one server: a union, replaced whole at each step. */
export type ServerState =
  | { readonly status: 'disabled'; readonly since: number }
  /** Waiting: for its first start, or for the next try of a backoff. */
  | {
      readonly status: 'disconnected';
      readonly since: number;
      readonly nextTryAt?: number;
      readonly problem?: Problem;
      /** Nobody uses it: the next {@link SupervisedServer.connection} starts it. */
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
  /** `nextTryAt`: the slow probe of a server that keeps failing. */
  | {
      readonly status: 'error';
      readonly since: number;
      readonly problem: Problem;
      readonly nextTryAt?: number;
    };

/** One server under supervision: one owner for its process, one queue for its intentions. */
export interface SupervisedServer {
  readonly key: string;
  /** Of this process alone: the key for the one that clients share, and never a key for an instance. */
  readonly id: string;
  /** The session that this instance is for; none for the one that clients share. */
  readonly sessionId?: string | undefined;
  readonly state: ServerState;
  /** Automatic restarts since the hub started. */
  readonly restarts: number;
  /** Requests of clients that its processes are at work on; what the hub itself asks does not count. */
  readonly activeCalls: number;
  /** A changed config on its way; a change of it is told as a change of state. */
  readonly update: ServerUpdate | undefined;
  readonly log: ServerLog;
  /**
   * The connection, waiting for a start under way, and starting a server that sleeps. Rejects with ProblemError after
   * `milliseconds` or when none will come.
   */
  connection(milliseconds: number): Promise<Connection>;
}

/** The last lines of a server's log, bounded in lines and bytes. */
export interface ServerLog {
  readonly lines: readonly LogLine[];
  /** Lines as they come, in batches. */
  readonly onLines: Event<readonly LogLine[]>;
  append(stream: LogLine['stream'], text: string): void;
  clear(): void;
  /** The last lines of a stream (stderr if none is named) without blank ones, for evidence; at most `count`. */
  tail(count: number, stream?: LogLine['stream']): readonly string[];
}

export interface ServerStateChange {
  readonly server: SupervisedServer;
  readonly previous: ServerStatus;
}

/** Owns all server processes. */
export interface Supervisor {
  /** Those that clients share, or whose lists stand for all: never an instance. */
  readonly servers: ReadonlyMap<string, SupervisedServer>;
  /** The server that serves this session; undefined for an unknown key. Throws ProblemError where it can have none. */
  serverFor(key: string, sessionId: string): SupervisedServer | undefined;
  /** What sessions have of their own. */
  readonly instances: Instances;
  readonly onState: Event<ServerStateChange>;
  /** A notification a server sent (list_changed, logging, progress…). */
  readonly onNotification: Event<ServerNotification>;
  /** A server has answered a request that was given up before. */
  readonly onLateAnswer: Event<LateAnswer>;
  /** From now on this answers what servers ask; the last one counts. Without any, servers are told that nobody can. */
  serveRequests(handler: ServerRequestHandler): Disposable;
  /** Makes the running servers match the orders: starts, stops, restarts and forgets what differs. Returns at once. */
  apply(orders: readonly ServerOrder[]): void;
  /** Ends the process at once if there is one and starts afresh, from every state, forgetting earlier failures. */
  restart(key: string): void;
  /**
   * Gives up a server, or an instance, that is connected but does not answer: it ends with this problem, then its restart
   * policy counts.
   */
  fail(id: string, problem: Problem): void;
  /** Puts a server to sleep once the calls under way are answered (within `SupervisorTiming.drain`); a new call wakes it. */
  sleep(key: string): void;
  /**
   * The hub now knows what this server offers: one that was started only for that (see
   * `SupervisorOptions.mustListFirst`) and that nobody has used since goes back to sleep. Harmless for any other.
   */
  listed(key: string): void;
  /** After an update that failed: ends the old process, starts the new config. */
  forceUpdate(key: string): void;
  /** Forgets an update that failed or is done; the old process serves on until its config changes again. */
  dismissUpdate(key: string): void;
  /**
   * Starts an order beside whatever runs, lends its connection to `use`, and ends it again. Rejects with ProblemError
   * when it cannot be started, ends meanwhile, or `use` fails. Nobody answers what it asks.
   */
  tryOrder<Result>(order: ServerOrder, use: (connection: Connection) => Promise<Result>): Promise<Result>;
  /**
   * Takes no new calls at any server: they are refused with `call.draining`. Resolves when none is under way any more,
   * or after `milliseconds`.
   */
  drain(milliseconds: number): Promise<void>;
  /** Calls a drain off: calls are taken again. */
  resume(): void;
  /** Ends every server and its whole process tree; resolves when all are verified gone. Further orders are ignored. */
  shutdown(): Promise<void>;
}

/** What a changed config offers, against what the server offers now; nothing counts before `commit`. */
export interface PreparedUpdate {
  readonly difference: ToolDifference;
  /** From now on the new offer counts. The server's state names the new connection in the same turn. */
  commit(): void;
}
