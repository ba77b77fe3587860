import type { Disposable, Event } from '../base/emitter.ts';
import type { JsonRpcId, JsonRpcNotification } from '../rpc/message.ts';
import type { Connection, ServerRequest, ServerStateChange, SupervisedServer } from './contract.ts';

/** How a server is told who its client is. */
export interface ClientIntroduction {
  readonly protocolVersion: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly clientInfo: Readonly<Record<string, unknown>>;
}

/** Who asks where it is the hub itself: no session is served by its own instance then, the server behind all lists is. */
export const noSession = '';

/** A session that may have instances. */
export interface InstanceHolder {
  readonly sessionId: string;
  /** Who its client is, for servers; undefined before it has said so, and once it has gone. */
  introduction(): ClientIntroduction | undefined;
  /**
   * Asked when it has ended: whether its client may come back under the same id, so that its instances are to wait for it a
   * moment. Without it they are not.
   */
  readonly mayReturn?: (() => Promise<boolean>) | undefined;
}

/** Something an instance said of its own accord; it is for the session of `server` and for nobody else. */
export interface InstanceNotification {
  readonly server: SupervisedServer;
  /** See {@link ServerRequest.connection}. */
  readonly connection?: Connection;
  readonly notification: JsonRpcNotification;
  readonly relatedTo?: JsonRpcId;
}

/** An instance has answered a request that nobody waits for any more. */
export interface InstanceLateAnswer {
  readonly connection?: Connection;
  readonly id: JsonRpcId;
}

/** The raw answer; an RpcError thrown is sent as it stands. */
export type InstanceRequestHandler = (server: SupervisedServer, request: ServerRequest) => Promise<unknown>;

/**
 * Processes that belong to one session each, of the servers with `isolation: "per-client"`. Made at the first call, gone
 * with the session; nothing they say is told through the supervisor's own events.
 */
export interface Instances {
  /** Whether sessions get instances of this server. The process under its key is nobody's then: it is there to be listed. */
  isolates(key: string): boolean;
  /** From now on the session can have instances. Disposing ends them, and refuses it new ones. */
  admit(session: InstanceHolder): Disposable;
  /** All there are of a server. */
  of(key: string): readonly SupervisedServer[];
  /** All that a session has. */
  heldBy(sessionId: string): readonly SupervisedServer[];
  readonly onState: Event<ServerStateChange>;
  readonly onNotification: Event<InstanceNotification>;
  readonly onLateAnswer: Event<InstanceLateAnswer>;
  /** From now on this answers what instances ask; the last one counts. */
  serveRequests(handler: InstanceRequestHandler): Disposable;
}

const nothing: Disposable = { dispose: () => {} };

/** For a program whose servers are all shared. */
export const noInstances: Instances = {
  isolates: () => false,
  admit: () => nothing,
  of: () => [],
  heldBy: () => [],
  onState: () => nothing,
  onNotification: () => nothing,
  onLateAnswer: () => nothing,
  serveRequests: () => nothing,
};
