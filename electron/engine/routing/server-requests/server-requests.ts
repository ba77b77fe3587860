import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/emitter.ts';
import type { RpcError } from '../../jsonrpc/message.ts';
import {
  type Connection,
  type Instances,
  noInstances,
  type ServerRequest,
  type SupervisedServer,
  type Supervisor,
} from '../../servers/contract.ts';
import type { ActiveCall, ActiveCalls, SentRequest } from '../active-calls.ts';
import type { ServerRequestListener } from '../contract.ts';
import { answerServerRequests } from './answer-server-requests.ts';
import { CallCauses } from './call-causes.ts';
import { clientDisconnected } from './client-errors.ts';
import type { Caller } from './contract.ts';
import { deliverNotifications } from './deliver-notifications.ts';
import { EarlyRequests } from './early-requests.ts';
import { Elicitations } from './elicitations.ts';
import { HumanWaitTime } from './human-wait-time.ts';
import { formatLogMessage, LogLevels } from './log-levels.ts';
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
  /** The calls that servers send messages about. */
  readonly calls: ActiveCalls;
  readonly clock: Clock;
  /**
   * `one` means that the program serves a single client, which gets everything that servers send (default
   * `many`).
   */
  readonly clients?: 'one' | 'many';
  readonly listeners?: readonly ServerRequestListener[];
}

/** Routes messages that servers send on their own to the sessions they are meant for, and to no others. */
export class ServerRequests implements Disposable {
  readonly #instances: Instances;
  readonly #clock: Clock;
  readonly #sessionIndex: SessionIndex;
  readonly #shared: SharedServers;
  readonly #log: ServerRequestLog;
  readonly #humanWait = new HumanWaitTime();
  /** By session id. */
  readonly #ownServers = new Map<string, OwnServers>();
  readonly #subscriptions: readonly Disposable[];

  constructor(options: ServerRequestsOptions) {
    const { supervisor, instances = noInstances, clock, clients = 'many' } = options;
    this.#clock = clock;
    this.#instances = instances;
    this.#log = new ServerRequestLog(clock, [this.#humanWait, ...(options.listeners ?? [])]);
    this.#sessionIndex = {
      clients,
      causes: new CallCauses({ clock, calls: options.calls, instances }),
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

  /**
   * Checks whether a session has a subscription or a task there, so that the process must not sleep. `id` is
   * that of a server or an instance.
   */
  hasOpenWork(id: string): boolean {
    if ([...this.#ownServers.values()].some((own) => own.hasOpenWork(id))) return true;
    const { subscriptions, tasks } = this.#sessionIndex;
    // Sessions have their subscriptions and tasks at their own instances of such a server.
    if (this.#instances.isolates(id)) return false;
    return subscriptions.urisOf(id).length > 0 || tasks.hasActiveTasks(id);
  }

  /** Called when a call had to wait for this connection; the call continues when the promise resolves. */
  ready(
    { asked: { caller } }: ActiveCall,
    { id }: SupervisedServer,
    connection: Connection,
  ): Promise<void> | undefined {
    if (caller?.initializeParams()?.capabilities.roots === undefined) return undefined;
    return this.#sessionIndex.earlyRequests.whenSettled(id, connection);
  }

  /** Called each time a call is sent, before it counts as sent there. */
  sent(call: ActiveCall, { server }: SentRequest): void {
    const { causes, serverUsers } = this.#sessionIndex;
    const { caller } = call.asked;
    if (caller === undefined || !causes.attributes(call, server)) return;
    // For a retry: the previous server may still be processing the call.
    causes.abandon(call);
    if (server.sessionId === undefined) serverUsers.markUsed(server.key, caller);
  }

  /** Called when a call that had a server has ended, before its observers. */
  ended(call: ActiveCall, error: RpcError | undefined): void {
    const { asked, sent } = call;
    call.humanWaitMs += this.#humanWait.of(call);
    if (error === undefined) return;
    if (call.aborted || isTimeout(error)) this.#sessionIndex.causes.abandon(call);
    if (asked.caller !== undefined && sent !== undefined)
      this.#sessionIndex.elicitations.onRequiredError(sent.server.key, error, asked.caller);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #watchShared(supervisor: WatchedSupervisor): readonly Disposable[] {
    const { causes, earlyRequests } = this.#sessionIndex;
    const answer = answerServerRequests(this.#sessionIndex, this.#log);
    for (const server of supervisor.servers.values()) this.#shared.onServerState(server);
    return [
      supervisor.onState(({ server }) => this.#shared.onServerState(server)),
      supervisor.onNotification(deliverNotifications(this.#sessionIndex)),
      supervisor.onNotification(({ key, notification: { method, params } }) => {
        if (method !== 'notifications/message') return;
        supervisor.servers.get(key)?.log.append('server', formatLogMessage(params));
      }),
      supervisor.onLateAnswer(({ connection, id }) => causes.onLateAnswer(connection, id)),
      supervisor.serveRequests((key, request) =>
        earlyRequests.onRequest(key, request, this.#log.observe(key, request, answer(key, request))),
      ),
    ];
  }

  #watchInstances(instances: Instances): readonly Disposable[] {
    return [
      instances.onState(({ server }) => this.#ownerOf(server)?.onServerState(server)),
      instances.onNotification((notification) => this.#ownerOf(notification.server)?.deliver(notification)),
      instances.onLateAnswer(({ connection, id }) => this.#sessionIndex.causes.onLateAnswer(connection, id)),
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

function isTimeout(error: RpcError): boolean {
  if (typeof error.data !== 'object' || error.data === null) return false;
  return 'code' in error.data && error.data.code === 'call.timeout';
}
