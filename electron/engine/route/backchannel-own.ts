import type { JsonRpcId, JsonRpcNotification } from '../rpc/message.ts';
import type { RawRequest } from '../rpc/raw-message.ts';
import { toRaw } from '../rpc/read-message.ts';
import type { Connection, ServerRequest, SupervisedServer } from '../supervise/contract.ts';
import type { InstanceNotification, Instances } from '../supervise/instances-contract.ts';
import { ClientTasks } from './backchannel-client-tasks.ts';
import type { Caller, McpLogLevel } from './backchannel-contract.ts';
import { connectionOf } from './backchannel-shared.ts';
import { ignore, type Ledgers } from './ledgers.ts';
import { formatLogMessage } from './log-message.ts';

type Forward = () => Promise<unknown>;
type Origin = Pick<ServerRequest, 'relatedTo' | 'connection'>;
type OwnServersLedgers = Pick<Ledgers, 'flights' | 'tasks'>;

/**
 * A session and the server instances that only it uses. Everything they send is meant for this session,
 * during calls and outside of them, and it is treated like their only client.
 */
export class OwnServers {
  readonly #caller: Caller;
  readonly #instances: Pick<Instances, 'heldBy'>;
  readonly #ledgers: OwnServersLedgers;
  readonly #clientTasks: ClientTasks;
  readonly #followed = new WeakMap<SupervisedServer, Connection | undefined>();
  readonly #subscribed = new Map<string, Set<string>>();
  #level: McpLogLevel | undefined;

  constructor(caller: Caller, instances: Pick<Instances, 'heldBy'>, ledgers: OwnServersLedgers) {
    this.#caller = caller;
    this.#clientTasks = new ClientTasks((question) => caller.ask(question));
    this.#instances = instances;
    this.#ledgers = ledgers;
  }

  /**
   * Reports the listings of the instances that a resumed session still has, which may differ from the shared
   * listing.
   */
  resume(): void {
    for (const server of this.#instances.heldBy(this.#caller.sessionId)) {
      const connection = connectionOf(server);
      this.#followed.set(server, connection);
      this.#caller.offerChanged(server.key, connection);
    }
  }

  /** Restores log level and subscriptions on a new process. */
  follow(server: SupervisedServer): void {
    const connection = connectionOf(server);
    if (this.#followed.get(server) === connection) return;
    this.#followed.set(server, connection);
    this.#caller.offerChanged(server.key, undefined);
    this.#ledgers.tasks.lost(server.key, this.#caller);
    this.#clientTasks.lost(server);
    if (connection === undefined) return;
    tellLevel(connection, this.#level).catch(ignore);
    for (const uri of this.#subscribed.get(server.key) ?? []) {
      connection.request('resources/subscribe', { uri }).result.catch(ignore);
    }
  }

  /** Returns one promise per server. */
  setLogLevel(level: McpLogLevel): readonly Promise<void>[] {
    this.#level = level;
    return this.#connections().map((connection) => tellLevel(connection, level));
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
  isInUse(id: string): boolean {
    const { sessionId } = this.#caller;
    const key = this.#instances.heldBy(sessionId).find((server) => server.id === id)?.key;
    if (key === undefined) return false;
    return this.#subscribed.has(key) || this.#ledgers.tasks.areAt(key, this.#caller);
  }

  taskStatus(notification: JsonRpcNotification): void {
    this.#clientTasks.told(notification);
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
        this.#caller.offerChanged(server.key, connectionOf(server));
        break;
      case 'notifications/message':
        server.log.append('server', formatLogMessage(notification.params));
        this.#tell(server, notification, from);
        break;
      default:
        this.#tell(server, notification, from);
    }
  }

  ask(server: SupervisedServer, request: ServerRequest): Promise<unknown> {
    const requestId = this.#requestOf(request);
    return this.#clientTasks.ask(server, {
      // Replacing a task id does not change the kind of message.
      message: this.#ledgers.tasks.inWordsOf(this.#caller, server.key, request.message) as RawRequest,
      signal: request.signal,
      onProgress: (notice) => void request.tell(notice).catch(ignore),
      ...(requestId === undefined ? {} : { relatedTo: requestId }),
    });
  }

  #tell(server: SupervisedServer, notification: JsonRpcNotification, from: Origin): void {
    const message = this.#ledgers.tasks.inWordsOf(this.#caller, server.key, toRaw(notification));
    this.#caller.tell(server.key, message, this.#requestOf(from));
    if (notification.method === 'notifications/tasks/status')
      this.#ledgers.tasks.noted(this.#caller, message.params?.taskId, message.params?.status);
  }

  /**
   * Returns the id of the client's request whose stream carries the message; any request in progress will do.
   */
  #requestOf({ connection, relatedTo }: Origin): JsonRpcId | undefined {
    const cause = this.#ledgers.flights.causeOf(connection, relatedTo);
    return cause.kind === 'certain' ? cause.requestId : undefined;
  }

  #connections(): readonly Connection[] {
    return this.#instances.heldBy(this.#caller.sessionId).flatMap((server) => connectionOf(server) ?? []);
  }
}

async function tellLevel(connection: Connection, level: McpLogLevel | undefined): Promise<void> {
  if (connection.handshake.capabilities.logging === undefined || level === undefined) return;
  await connection.request('logging/setLevel', { level }).result;
}
