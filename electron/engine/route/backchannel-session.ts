import { type Clock, delay } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { JsonRpcNotification } from '../rpc/message.ts';
import type { Caller, McpLogLevel, Participant, SessionTasks } from './backchannel-contract.ts';
import type { OwnServers } from './backchannel-own.ts';
import type { SharedServers } from './backchannel-shared.ts';
import type { Router } from './contract.ts';
import type { Ledgers } from './ledgers.ts';
import { trackCalls } from './track-calls.ts';

export interface SessionPartOptions {
  readonly caller: Caller;
  readonly ledgers: Ledgers;
  readonly shared: SharedServers;
  readonly own: OwnServers;
  /** Allows the session to have instances until disposed. */
  readonly admission: Disposable;
  readonly clock: Clock;
}

/** A session's endpoint at the shared servers and at its own. */
export class SessionPart implements Participant {
  readonly tasks: SessionTasks;
  readonly #options: SessionPartOptions;

  constructor(options: SessionPartOptions) {
    this.#options = options;
    const { caller, ledgers } = options;
    const { tasks } = ledgers;
    this.tasks = {
      created: (place, task) => tasks.created(caller, place, task),
      noted: (told, status) => tasks.noted(caller, told, status),
      find: (told) => tasks.find(caller, told),
      cutOff: () => tasks.cutOff(caller),
      toldId: (place) => tasks.toldId(caller, place),
      servers: () => tasks.serversOf(caller),
    };
    ledgers.users.join(caller);
  }

  track(router: Router): Router {
    return trackCalls(this.#options.ledgers, this.#options.caller, router);
  }

  async setLogLevel(level: McpLogLevel): Promise<void> {
    const { caller, shared, own, clock } = this.#options;
    const told = [...shared.setLogLevel(caller, level), ...own.setLogLevel(level)];
    // The error of a single server is reported; with many servers, none of them may delay the client.
    const all = caller.only === undefined ? Promise.allSettled(told) : Promise.all(told);
    await Promise.race([all, delay(clock, levelPatience)]);
  }

  subscribe(serverKey: string, uri: string, forward: () => Promise<unknown>): Promise<unknown> {
    const { caller, ledgers, own } = this.#options;
    if (ledgers.instances.isolates(serverKey)) return own.subscribe(serverKey, uri, forward);
    return ledgers.subscriptions.subscribe(caller, serverKey, uri, forward);
  }

  unsubscribe(serverKey: string, uri: string, forward: () => Promise<unknown>): Promise<unknown> {
    const { caller, ledgers, own } = this.#options;
    if (ledgers.instances.isolates(serverKey)) return own.unsubscribe(serverKey, uri, forward);
    return ledgers.subscriptions.unsubscribe(caller, serverKey, uri, forward);
  }

  /**
   * Only shared servers need this: the session's own ones learned its client's capabilities in the handshake.
   */
  hasRoots(): void {
    this.#options.shared.hasRoots(this.#options.caller);
  }

  taskStatus(notification: JsonRpcNotification): void {
    this.#options.own.taskStatus(notification);
  }

  rootsChanged(): void {
    this.#options.shared.rootsChanged(this.#options.caller);
    this.#options.own.rootsChanged();
  }

  dispose(): void {
    const { caller, ledgers, shared, own, admission } = this.#options;
    shared.leave(caller);
    ledgers.elicitations.drop(caller);
    ledgers.tasks.drop(caller);
    own.dispose();
    admission.dispose();
  }
}

/** Maximum time in milliseconds that a client waits for servers to set a log level. */
const levelPatience = 2_000;
