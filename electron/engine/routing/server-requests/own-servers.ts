import type { McpLogLevel } from '../../../../shared/model/server/log-levels.ts';
import type { JsonRpcId, JsonRpcNotification } from '../../jsonrpc/message.ts';
import type { RawRequest } from '../../jsonrpc/raw-message.ts';
import { toRaw } from '../../jsonrpc/read-message.ts';
import {
  type Connection,
  connectionOf,
  type InstanceNotification,
  type Instances,
  type ServerRequest,
  type SupervisedServer,
} from '../../servers/contract.ts';
import { ClientTasks } from './client-tasks.ts';
import { type Caller, ignore } from './contract.ts';
import { formatLogMessage } from './log-levels.ts';
import type { SessionIndex } from './session-index.ts';

type Forward = () => Promise<unknown>;
type Origin = Pick<ServerRequest, 'relatedTo' | 'connection'>;
type OwnServersIndex = Pick<SessionIndex, 'causes' | 'tasks'>;

/**
 * A session and the server instances that only it uses. Everything they send is meant for this session,
 * during calls and outside of them, and it is treated like their only client.
 */
export class OwnServers {
  readonly #caller: Caller;
  readonly #instances: Pick<Instances, 'ofSession'>;
  readonly #sessionIndex: OwnServersIndex;
  readonly #clientTasks: ClientTasks;
  readonly #knownConnections = new WeakMap<SupervisedServer, Connection | undefined>();
  readonly #subscribed = new Map<string, Set<string>>();
  #level: McpLogLevel | undefined;

  constructor(caller: Caller, instances: Pick<Instances, 'ofSession'>, sessionIndex: OwnServersIndex) {
    this.#caller = caller;
    this.#clientTasks = new ClientTasks((question) => caller.ask(question));
    this.#instances = instances;
    this.#sessionIndex = sessionIndex;
  }

  /**
   * Reports the listings of the instances that a resumed session still has, which may differ from the shared
   * listing.
   */
  resume(): void {
    for (const server of this.#instances.ofSession(this.#caller.sessionId)) {
      const connection = connectionOf(server);
      this.#knownConnections.set(server, connection);
      this.#caller.onListingChanged(server.key, connection);
    }
  }

  /** Restores log level and subscriptions on a new process. */
  onServerState(server: SupervisedServer): void {
    const connection = connectionOf(server);
    if (this.#knownConnections.get(server) === connection) return;
    this.#knownConnections.set(server, connection);
    this.#caller.onListingChanged(server.key, undefined);
    this.#sessionIndex.tasks.onProcessEnded(server.key, this.#caller);
    this.#clientTasks.onProcessEnded(server);
    if (connection === undefined) return;
    sendLogLevel(connection, this.#level).catch(ignore);
    for (const uri of this.#subscribed.get(server.key) ?? []) {
      connection.request('resources/subscribe', { uri }).result.catch(ignore);
    }
  }

  /** Returns one promise per server. */
  setLogLevel(level: McpLogLevel): readonly Promise<void>[] {
    this.#level = level;
    return this.#connections().map((connection) => sendLogLevel(connection, level));
  }

  async subscribe(serverKey: string, uri: string, forward: Forward): Promise<unknown> {
    const result = await forward();
    const uris = this.#subscribed.get(serverKey) ?? new Set();
    this.#subscribed.set(serverKey, uris.add(uri));
    return result;
  }

  unsubscribe(serverKey: string, uri: string, forward: Forward): Promise<unknown> {
    const uris = this.#subscribed.get(serverKey);
    uris?.delete(uri);
    if (uris?.size === 0) this.#subscribed.delete(serverKey);
    return forward();
  }

  /** Checks whether the session has a subscription or a task at this instance. */
  hasOpenWork(id: string): boolean {
    const { sessionId } = this.#caller;
    const key = this.#instances.ofSession(sessionId).find((server) => server.id === id)?.key;
    if (key === undefined) return false;
    return this.#subscribed.has(key) || this.#sessionIndex.tasks.hasActiveTasks(key, this.#caller);
  }

  taskStatus(notification: JsonRpcNotification): void {
    this.#clientTasks.onStatus(notification);
  }

  dispose(): void {
    this.#clientTasks.dispose();
  }

  rootsChanged(): void {
    for (const connection of this.#connections())
      connection.notify('notifications/roots/list_changed').catch(ignore);
  }

  /** Delivers a notification to the session. Progress is delivered by token instead. */
  deliver({ server, notification, ...from }: InstanceNotification): void {
    switch (notification.method) {
      case 'notifications/progress':
        break;
      case 'notifications/tools/list_changed':
      case 'notifications/resources/list_changed':
      case 'notifications/prompts/list_changed':
        this.#caller.onListingChanged(server.key, connectionOf(server));
        break;
      case 'notifications/message':
        server.log.append('server', formatLogMessage(notification.params));
        this.#notify(server, notification, from);
        break;
      default:
        this.#notify(server, notification, from);
    }
  }

  ask(server: SupervisedServer, request: ServerRequest): Promise<unknown> {
    const requestId = this.#causingRequest(request, true);
    const answer = this.#clientTasks.ask(server, {
      // Replacing a task id does not change the kind of message.
      message: this.#sessionIndex.tasks.withClientTaskId(
        this.#caller,
        server.key,
        request.message,
      ) as RawRequest,
      signal: request.signal,
      onProgress: (notice) => void request.notify(notice).catch(ignore),
      ...(requestId === undefined ? {} : { relatedTo: requestId }),
    });
    return this.#sessionIndex.causes.whileAsked(this.#caller, requestId, answer);
  }

  #notify(server: SupervisedServer, notification: JsonRpcNotification, from: Origin): void {
    const message = this.#sessionIndex.tasks.withClientTaskId(this.#caller, server.key, toRaw(notification));
    this.#caller.notify(server.key, message, this.#causingRequest(from, false));
    if (notification.method === 'notifications/tasks/status')
      this.#sessionIndex.tasks.onStatus(this.#caller, message.params?.taskId, message.params?.status);
  }

  /**
   * Returns the id of the client's request whose stream carries the message. Any request in progress will do,
   * for a stateless client only for a question: whoever of the session reads it can answer it.
   */
  #causingRequest({ connection, relatedTo }: Origin, isQuestion: boolean): JsonRpcId | undefined {
    const cause = this.#sessionIndex.causes.causeOf(connection, relatedTo, isQuestion);
    return cause.kind === 'certain' ? cause.requestId : undefined;
  }

  #connections(): readonly Connection[] {
    return this.#instances.ofSession(this.#caller.sessionId).flatMap((server) => connectionOf(server) ?? []);
  }
}

async function sendLogLevel(connection: Connection, level: McpLogLevel | undefined): Promise<void> {
  if (connection.handshake.capabilities.logging === undefined || level === undefined) return;
  await connection.request('logging/setLevel', { level }).result;
}
