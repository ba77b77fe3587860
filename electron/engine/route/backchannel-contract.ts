import type { Disposable } from '../base/emitter.ts';
import type { ListedConnection } from '../catalogue/offer-listing.ts';
import type { JsonRpcId, JsonRpcNotification } from '../rpc/message.ts';
import type { RawMessage, RawRequest } from '../rpc/raw-message.ts';
import type { ClientIntroduction, InstanceHolder } from '../supervise/instances-contract.ts';
import type { Router } from './contract.ts';
import type { KnownPlace, LostTask, NewTask, TaskPlace } from './tasks.ts';

export type { ClientIntroduction };

/** A session as it can be reached by servers. */
export interface Caller extends InstanceHolder {
  /** The one server it sees; undefined for a session that sees all of them. */
  readonly only?: string;
  /** Whether its client may have anything of this server; one that may not is never asked anything by it. */
  sees(serverKey: string): boolean;
  /**
   * Asks the client; the raw answer. Rejects with RpcError, also when the client has not said that it can do this or has
   * gone. Aborting `signal` takes the question back.
   */
  ask(question: Question): Promise<unknown>;
  /** Tells the client something of a server, as that server said it. */
  tell(serverKey: string, notification: RawMessage, relatedTo?: JsonRpcId): void;
  /** A server of its own says that it offers something else; without a connection, its process has ended. */
  offerChanged(serverKey: string, connection: ListedConnection | undefined): void;
}

/** What a server asks of a client. */
export interface Question {
  readonly message: RawRequest;
  /** The client's own request that made the server ask, where known: over HTTP the question travels on its stream. */
  readonly relatedTo?: JsonRpcId;
  readonly signal: AbortSignal;
  /** The client's progress with it, under the server's token. */
  readonly onProgress: (notice: RawMessage) => void;
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

/** A session's part in what servers say of their own accord. Disposed when the session ends. */
export interface Participant extends Disposable {
  /** The router for this session's calls: they are remembered while they are under way, so that questions find back. */
  track(router: Router): Router;
  /** From now on the session hears log messages of this level and above, from the servers it sees. */
  setLogLevel(level: McpLogLevel): Promise<void>;
  /**
   * Counts a subscription. `forward` asks the server and is used only if no other session has subscribed there; what it
   * rejects with, this rejects with.
   */
  subscribe(serverKey: string, uri: string, forward: () => Promise<unknown>): Promise<unknown>;
  /** `forward` is used only if this session was the last one there. */
  unsubscribe(serverKey: string, uri: string, forward: () => Promise<unknown>): Promise<unknown>;
  readonly tasks: SessionTasks;
  /** The client is there and has roots: told to servers that asked for some when nobody could answer. */
  hasRoots(): void;
  /** The client tells how a task stands that it runs for a server. */
  taskStatus(notification: JsonRpcNotification): void;
  /** The client's roots are others now: told to those servers that it has told its roots. */
  rootsChanged(): void;
}

/** The tasks that a session has made; it sees no others. */
export interface SessionTasks {
  /** Remembers a new one; the id to tell the client. */
  created(place: TaskPlace, task: NewTask): string;
  /** The client was told this status of a task that it calls `told`. */
  noted(told: unknown, status: unknown): void;
  /** Where the task is that the client calls this. */
  find(told: unknown): KnownPlace | undefined;
  /** Those that were under way when their process ended. */
  cutOff(): readonly LostTask[];
  /** What the client calls a task; undefined for one it did not make. */
  toldId(place: TaskPlace): string | undefined;
  /** Keys of the servers that have tasks of it. */
  servers(): readonly string[];
}

/** Leads what servers say and ask of their own accord to the sessions it is for, and to nobody else. */
export interface Backchannel {
  join(caller: Caller): Participant;
  /**
   * Whether a session has something open beside calls, a subscription or a task, so that the process must not sleep; `id` of
   * a server or an instance.
   */
  isInUse(id: string): boolean;
}
