import type { McpLogLevel } from '../../../../shared/model/server/log-levels.ts';
import { type Clock, delay } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { JsonRpcNotification } from '../../jsonrpc/message.ts';
import type { Caller, SessionEndpoint, SessionTasks } from './contract.ts';
import type { OwnServers } from './own-servers.ts';
import type { SessionIndex } from './session-index.ts';
import type { SharedServers } from './shared-servers.ts';

export interface ServerSessionEndpointOptions {
  readonly caller: Caller;
  readonly sessionIndex: SessionIndex;
  readonly shared: SharedServers;
  readonly own: OwnServers;
  /** Allows the session to have instances until disposed. */
  readonly admission: Disposable;
  readonly clock: Clock;
}

/** A session's endpoint at the shared servers and at its own. */
export class ServerSessionEndpoint implements SessionEndpoint {
  readonly tasks: SessionTasks;
  readonly #options: ServerSessionEndpointOptions;

  constructor(options: ServerSessionEndpointOptions) {
    this.#options = options;
    const { caller, sessionIndex } = options;
    const { tasks } = sessionIndex;
    this.tasks = {
      register: (location, task) => tasks.register(caller, location, task),
      onStatus: (clientTaskId, status) => tasks.onStatus(caller, clientTaskId, status),
      find: (clientTaskId) => tasks.find(caller, clientTaskId),
      interrupted: () => tasks.interrupted(caller),
      clientIdOf: (location) => tasks.clientIdOf(caller, location),
      servers: () => tasks.serversOf(caller),
    };
    sessionIndex.serverUsers.join(caller);
  }

  async setLogLevel(level: McpLogLevel): Promise<void> {
    const { caller, shared, own, clock } = this.#options;
    const updates = [...shared.setLogLevel(caller, level), ...own.setLogLevel(level)];
    // The error of a single server is reported; with many servers, none of them may delay the client.
    const all = caller.only === undefined ? Promise.allSettled(updates) : Promise.all(updates);
    await Promise.race([all, delay(clock, logLevelTimeoutMs)]);
  }

  subscribe(serverKey: string, uri: string, forward: () => Promise<unknown>): Promise<unknown> {
    const { caller, sessionIndex, own } = this.#options;
    if (sessionIndex.instances.isolates(serverKey)) return own.subscribe(serverKey, uri, forward);
    return sessionIndex.subscriptions.subscribe(caller, serverKey, uri, forward);
  }

  unsubscribe(serverKey: string, uri: string, forward: () => Promise<unknown>): Promise<unknown> {
    const { caller, sessionIndex, own } = this.#options;
    if (sessionIndex.instances.isolates(serverKey)) return own.unsubscribe(serverKey, uri, forward);
    return sessionIndex.subscriptions.unsubscribe(caller, serverKey, uri, forward);
  }

  /**
   * Only shared servers need this: the session's own ones learned its client's capabilities in the handshake.
   */
  rootsAvailable(): void {
    this.#options.shared.rootsAvailable(this.#options.caller);
  }

  taskStatus(notification: JsonRpcNotification): void {
    this.#options.own.taskStatus(notification);
  }

  rootsChanged(): void {
    this.#options.shared.rootsChanged(this.#options.caller);
    this.#options.own.rootsChanged();
  }

  dispose(): void {
    const { caller, sessionIndex, shared, own, admission } = this.#options;
    shared.leave(caller);
    sessionIndex.elicitations.drop(caller);
    sessionIndex.tasks.drop(caller);
    own.dispose();
    admission.dispose();
  }
}

/** Maximum time in milliseconds that a client waits for servers to set a log level. */
const logLevelTimeoutMs = 2_000;
