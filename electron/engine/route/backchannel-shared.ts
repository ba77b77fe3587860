import type { Connection, SupervisedServer } from '../supervise/contract.ts';
import type { Caller, McpLogLevel } from './backchannel-contract.ts';
import { ignore, type Ledgers } from './ledgers.ts';

/** Keeps shared servers up to date outside of calls: log levels, subscriptions, changed roots. */
export class SharedServers {
  readonly #ledgers: Ledgers;
  readonly #connections = new Map<string, Connection>();
  readonly #toldLevels = new WeakMap<Connection, McpLogLevel>();

  constructor(ledgers: Ledgers) {
    this.#ledgers = ledgers;
  }

  /** Restores log level and subscriptions on a new connection. */
  follow(server: SupervisedServer): void {
    const { key } = server;
    const connection = connectionOf(server);
    if (connection === this.#connections.get(key)) return;
    this.#ledgers.users.forget(key);
    if (!this.#ledgers.instances.isolates(key)) this.#ledgers.tasks.lost(key);
    if (connection === undefined) return void this.#connections.delete(key);
    this.#connections.set(key, connection);
    this.#tellLevel(key).catch(ignore);
    for (const uri of this.#ledgers.subscriptions.urisOf(key)) {
      connection.request('resources/subscribe', { uri }).result.catch(ignore);
    }
  }

  /** Returns one promise per server. */
  setLogLevel(caller: Caller, level: McpLogLevel): readonly Promise<void>[] {
    this.#ledgers.levels.set(caller, level);
    const keys = caller.only === undefined ? [...this.#connections.keys()] : [caller.only];
    return keys.map((key) => this.#tellLevel(key));
  }

  /** Most servers ask for roots only once, right after start, when there may be no client yet. */
  hasRoots(caller: Caller): void {
    const { users } = this.#ledgers;
    const wanting = users.rootless.filter((key) => users.likeliest(key) === caller);
    for (const key of wanting) users.offeredRoots(key);
    this.#offerRoots(wanting);
  }

  rootsChanged(caller: Caller): void {
    this.#offerRoots(this.#ledgers.users.knowRootsOf(caller));
  }

  leave(caller: Caller): void {
    const { users, levels, subscriptions } = this.#ledgers;
    const orphaned = users.knowRootsOf(caller);
    users.leave(caller);
    this.#offerRoots(orphaned.filter((key) => users.likeliest(key) !== undefined));
    levels.delete(caller);
    for (const key of this.#connections.keys()) this.#tellLevel(key).catch(ignore);
    for (const { serverKey, uri } of subscriptions.drop(caller)) {
      this.#connections.get(serverKey)?.request('resources/unsubscribe', { uri }).result.catch(ignore);
    }
  }

  /** Makes these servers ask for roots again. */
  #offerRoots(keys: readonly string[]): void {
    for (const key of keys)
      this.#connections.get(key)?.notify('notifications/roots/list_changed').catch(ignore);
  }

  /** Servers with one instance per session are skipped. */
  async #tellLevel(key: string): Promise<void> {
    const { levels, instances } = this.#ledgers;
    const connection = this.#connections.get(key);
    const level = instances.isolates(key) ? undefined : levels.levelFor(key);
    if (connection?.handshake.capabilities.logging === undefined || level === undefined) return;
    if (this.#toldLevels.get(connection) === level) return;
    this.#toldLevels.set(connection, level);
    await connection.request('logging/setLevel', { level }).result;
  }
}

export function connectionOf({ state }: SupervisedServer): Connection | undefined {
  return 'connection' in state ? state.connection : undefined;
}
