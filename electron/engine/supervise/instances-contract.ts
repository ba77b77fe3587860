import type { Disposable, Event } from '../base/emitter.ts';
import type { JsonRpcId, JsonRpcNotification } from '../rpc/message.ts';
import type { Connection, ServerRequest, ServerStateChange, SupervisedServer } from './contract.ts';

/** Params of `initialize` that introduce a client to a server. */
export interface InitializeParams {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: Readonly<Record<string, unknown>>;
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
