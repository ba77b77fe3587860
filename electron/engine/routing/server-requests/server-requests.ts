import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import {
  type Instances,
  noInstances,
  type ServerRequest,
  type SupervisedServer,
  type Supervisor,
} from '../../servers/contract.ts';
import type { ServerRequestListener } from '../contract.ts';
import { createActiveCalls } from './active-calls.ts';
import { answerServerRequests } from './answer-server-requests.ts';
import { clientDisconnected } from './client-errors.ts';
import type { Caller, ServerRequests } from './contract.ts';
import { deliverNotifications } from './deliver-notifications.ts';
import { EarlyRequests } from './early-requests.ts';
import { Elicitations } from './elicitations.ts';
import { LogLevels } from './log-levels.ts';
import { formatLogMessage } from './log-message.ts';
import { OwnServers } from './own-servers.ts';
import { ServerRequestLog } from './server-request-log.ts';
import { ServerUsers } from './server-users.ts';
import { ServerSessionEndpoint } from './session-endpoint.ts';
import type { SessionIndex } from './session-index.ts';
import { SharedServers } from './shared-servers.ts';
import { Subscriptions } from './subscriptions.ts';
import { TaskIndex } from './task-index.ts';

type WatchedSupervisor = Pick<
  Supervisor,
  'servers' | 'onState' | 'onNotification' | 'onLateAnswer' | 'serveRequests'
>;

export interface ServerRequestsOptions {
  readonly supervisor: WatchedSupervisor;
  /** Per-session instances; none by default. */
  readonly instances?: Instances;
  readonly clock: Clock;
  /**
   * `one` means that the program serves a single client, which gets everything that servers send (default
   * `many`).
   */
  readonly clients?: 'one' | 'many';
  readonly listener?: ServerRequestListener;
}

/** Creates the routing of server messages to sessions; see {@link ServerRequests}. */
export function createServerRequests(options: ServerRequestsOptions): ServerRequests & Disposable {
  return new ServerRequestExchange(options);
}

class ServerRequestExchange implements ServerRequests, Disposable {
  readonly #instances: Instances;
  readonly #clock: Clock;
  readonly #sessionIndex: SessionIndex;
  readonly #shared: SharedServers;
  readonly #log: ServerRequestLog;
  /** By session id. */
  readonly #ownServers = new Map<string, OwnServers>();
  readonly #subscriptions: readonly Disposable[];

  constructor(options: ServerRequestsOptions) {
    const { supervisor, instances = noInstances, clock, clients = 'many' } = options;
    this.#clock = clock;
    this.#instances = instances;
    this.#log = new ServerRequestLog(clock, options.listener);
    this.#sessionIndex = {
      clients,
      activeCalls: createActiveCalls(clock),
      serverUsers: new ServerUsers(),
      levels: new LogLevels(),
      subscriptions: new Subscriptions(),
      elicitations: new Elicitations(),
      tasks: new TaskIndex(clock),
      earlyRequests: new EarlyRequests(clock),
      instances,
    };
    this.#shared = new SharedServers(this.#sessionIndex);
    this.#subscriptions = [...this.#watchShared(supervisor), ...this.#watchInstances(instances)];
  }

  join(caller: Caller): ServerSessionEndpoint {
    const { sessionId } = caller;
    const own = new OwnServers(caller, this.#instances, this.#sessionIndex);
    this.#ownServers.set(sessionId, own);
    const admission = this.#instances.admit(caller);
    own.resume();
    const dispose = () => {
      if (this.#ownServers.get(sessionId) === own) this.#ownServers.delete(sessionId);
      admission.dispose();
    };
    return new ServerSessionEndpoint({
      caller,
      own,
      clock: this.#clock,
      sessionIndex: this.#sessionIndex,
      shared: this.#shared,
      admission: { dispose },
    });
  }

  hasOpenWork(id: string): boolean {
    if ([...this.#ownServers.values()].some((own) => own.hasOpenWork(id))) return true;
    const { subscriptions, tasks } = this.#sessionIndex;
    // Sessions have their subscriptions and tasks at their own instances of such a server.
    if (this.#instances.isolates(id)) return false;
    return subscriptions.urisOf(id).length > 0 || tasks.hasActiveTasks(id);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #watchShared(supervisor: WatchedSupervisor): readonly Disposable[] {
    const { activeCalls, earlyRequests } = this.#sessionIndex;
    const answer = answerServerRequests(this.#sessionIndex, this.#log);
    for (const server of supervisor.servers.values()) this.#shared.onServerState(server);
    return [
      supervisor.onState(({ server }) => this.#shared.onServerState(server)),
      supervisor.onNotification(deliverNotifications(this.#sessionIndex)),
      supervisor.onNotification(({ key, notification: { method, params } }) => {
        if (method !== 'notifications/message') return;
        supervisor.servers.get(key)?.log.append('server', formatLogMessage(params));
      }),
      supervisor.onLateAnswer(({ connection, id }) => activeCalls.onLateAnswer(connection, id)),
      supervisor.serveRequests((key, request) =>
        earlyRequests.onRequest(key, request, this.#log.observe(key, request, answer(key, request))),
      ),
    ];
  }

  #watchInstances(instances: Instances): readonly Disposable[] {
    return [
      instances.onState(({ server }) => this.#ownerOf(server)?.onServerState(server)),
      instances.onNotification((notification) => this.#ownerOf(notification.server)?.deliver(notification)),
      instances.onLateAnswer(({ connection, id }) =>
        this.#sessionIndex.activeCalls.onLateAnswer(connection, id),
      ),
      instances.serveRequests((server, request) =>
        this.#sessionIndex.earlyRequests.onRequest(
          server.id,
          request,
          this.#log.observe(server.key, request, this.#forwardToOwner(server, request)),
        ),
      ),
    ];
  }

  async #forwardToOwner(server: SupervisedServer, request: ServerRequest): Promise<unknown> {
    const owner = this.#ownerOf(server);
    if (owner === undefined || server.sessionId === undefined)
      throw clientDisconnected(request.message.method);
    this.#log.setSession(request, server.sessionId);
    return owner.ask(server, request);
  }

  #ownerOf({ sessionId = '' }: SupervisedServer): OwnServers | undefined {
    return this.#ownServers.get(sessionId);
  }
}
