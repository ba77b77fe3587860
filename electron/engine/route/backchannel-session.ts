import { type Clock, delay } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { JsonRpcNotification } from '../rpc/message.ts';
import type { Caller, McpLogLevel, SessionEndpoint, SessionTasks } from './backchannel-contract.ts';
import type { OwnServers } from './backchannel-own.ts';
import type { SharedServers } from './backchannel-shared.ts';
import type { Router } from './contract.ts';
import type { SessionIndex } from './ledgers.ts';
import { trackCalls } from './track-calls.ts';

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
    const { caller, sessionIndex: index } = options;
    const { tasks } = index;
    this.tasks = {
      register: (location, task) => tasks.register(caller, location, task),
      onStatus: (clientTaskId, status) => tasks.onStatus(caller, clientTaskId, status),
      find: (clientTaskId) => tasks.find(caller, clientTaskId),
      interrupted: () => tasks.interrupted(caller),
      clientIdOf: (location) => tasks.clientIdOf(caller, location),
      servers: () => tasks.serversOf(caller),
    };
    index.serverUsers.join(caller);
  }

  track(router: Router): Router {
    return trackCalls(this.#options.sessionIndex, this.#options.caller, router);
  }

  async setLogLevel(level: McpLogLevel): Promise<void> {
    const { caller, shared, own, clock } = this.#options;
    const updates = [...shared.setLogLevel(caller, level), ...own.setLogLevel(level)];
    // The error of a single server is reported; with many servers, none of them may delay the client.
    const all = caller.only === undefined ? Promise.allSettled(updates) : Promise.all(updates);
    await Promise.race([all, delay(clock, logLevelTimeoutMs)]);
  }

  subscribe(serverKey: string, uri: string, forward: () => Promise<unknown>): Promise<unknown> {
    const { caller, sessionIndex: index, own } = this.#options;
    if (index.instances.isolates(serverKey)) return own.subscribe(serverKey, uri, forward);
    return index.subscriptions.subscribe(caller, serverKey, uri, forward);
  }

  unsubscribe(serverKey: string, uri: string, forward: () => Promise<unknown>): Promise<unknown> {
    const { caller, sessionIndex: index, own } = this.#options;
    if (index.instances.isolates(serverKey)) return own.unsubscribe(serverKey, uri, forward);
    return index.subscriptions.unsubscribe(caller, serverKey, uri, forward);
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
    const { caller, sessionIndex: index, shared, own, admission } = this.#options;
    shared.leave(caller);
    index.elicitations.drop(caller);
    index.tasks.drop(caller);
    own.dispose();
    admission.dispose();
  }
}

/** Maximum time in milliseconds that a client waits for servers to set a log level. */
const logLevelTimeoutMs = 2_000;
