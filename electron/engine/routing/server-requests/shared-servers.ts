import type { McpLogLevel } from '../../../../shared/model/server/log-levels.ts';
import { type Connection, connectionOf, type SupervisedServer } from '../../servers/contract.ts';
import { type Caller, ignore } from './contract.ts';
import type { SessionIndex } from './session-index.ts';

/** Keeps shared servers up to date outside of calls: log levels, subscriptions, changed roots. */
export class SharedServers {
  readonly #sessionIndex: SessionIndex;
  readonly #connections = new Map<string, Connection>();
  readonly #sentLevels = new WeakMap<Connection, McpLogLevel>();

  constructor(sessionIndex: SessionIndex) {
    this.#sessionIndex = sessionIndex;
  }

  /** Restores log level and subscriptions on a new connection. */
  onServerState(server: SupervisedServer): void {
    const { key } = server;
    const connection = connectionOf(server);
    if (connection === this.#connections.get(key)) return;
    this.#sessionIndex.serverUsers.forget(key);
    if (!this.#sessionIndex.instances.isolates(key)) this.#sessionIndex.tasks.onProcessEnded(key);
    if (connection === undefined) return void this.#connections.delete(key);
    this.#connections.set(key, connection);
    this.#sendLogLevel(key).catch(ignore);
    for (const uri of this.#sessionIndex.subscriptions.urisOf(key)) {
      connection.request('resources/subscribe', { uri }).result.catch(ignore);
    }
  }

  /** Returns one promise per server. */
  setLogLevel(caller: Caller, level: McpLogLevel): readonly Promise<void>[] {
    this.#sessionIndex.levels.set(caller, level);
    const keys = caller.only === undefined ? [...this.#connections.keys()] : [caller.only];
    return keys.map((key) => this.#sendLogLevel(key));
  }

  /** Most servers ask for roots only once, right after start, when there may be no client yet. */
  rootsAvailable(caller: Caller): void {
    const { serverUsers } = this.#sessionIndex;
    const waitingKeys = serverUsers.lackingRoots.filter((key) => serverUsers.likelySession(key) === caller);
    for (const key of waitingKeys) serverUsers.rootsAnnounced(key);
    this.#notifyRootsChanged(waitingKeys);
  }

  rootsChanged(caller: Caller): void {
    this.#notifyRootsChanged(this.#sessionIndex.serverUsers.serversKnowingRootsOf(caller));
  }

  leave(caller: Caller): void {
    const { serverUsers, levels, subscriptions } = this.#sessionIndex;
    const orphaned = serverUsers.serversKnowingRootsOf(caller);
    serverUsers.leave(caller);
    this.#notifyRootsChanged(orphaned.filter((key) => serverUsers.likelySession(key) !== undefined));
    levels.delete(caller);
    for (const key of this.#connections.keys()) this.#sendLogLevel(key).catch(ignore);
    for (const { serverKey, uri } of subscriptions.drop(caller)) {
      this.#connections.get(serverKey)?.request('resources/unsubscribe', { uri }).result.catch(ignore);
    }
  }

  /** Makes these servers ask for roots again. */
  #notifyRootsChanged(keys: readonly string[]): void {
    for (const key of keys)
      this.#connections.get(key)?.notify('notifications/roots/list_changed').catch(ignore);
  }

  /** Servers with one instance per session are skipped. */
  async #sendLogLevel(key: string): Promise<void> {
    const { levels, instances } = this.#sessionIndex;
    const connection = this.#connections.get(key);
    const level = instances.isolates(key) ? undefined : levels.levelFor(key);
    if (connection?.handshake.capabilities.logging === undefined || level === undefined) return;
    if (this.#sentLevels.get(connection) === level) return;
    this.#sentLevels.set(connection, level);
    await connection.request('logging/setLevel', { level }).result;
  }
}
