import { type Clock, delay } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { Connection, SupervisedServer, Supervisor } from '../supervise/contract.ts';
import { answerServers } from './answer-servers.ts';
import type { Backchannel, Caller, McpLogLevel, Participant } from './backchannel-contract.ts';
import { deliverNotices } from './deliver-notices.ts';
import { Elicitations } from './elicitations.ts';
import { createFlights } from './flights.ts';
import { ignore, type Ledgers } from './ledgers.ts';
import { LogLevels } from './log-levels.ts';
import { formatLogMessage } from './log-message.ts';
import { ServerUsers } from './server-users.ts';
import { Subscriptions } from './subscriptions.ts';
import { Tasks } from './tasks.ts';
import { trackCalls } from './track-calls.ts';

export interface BackchannelOptions {
  readonly supervisor: Pick<
    Supervisor,
    'servers' | 'onState' | 'onNotification' | 'onLateAnswer' | 'serveRequests'
  >;
  readonly clock: Clock;
  /** `one`: the program serves a single client, so whatever servers ask is for it (default `many`). */
  readonly clients?: 'one' | 'many';
}

/** Leads what servers ask and say of their own accord to the sessions it is for; see {@link Backchannel}. */
export function createBackchannel(options: BackchannelOptions): Backchannel & Disposable {
  const { supervisor, clock, clients = 'many' } = options;
  const connections = new Map<string, Connection>();
  const toldLevels = new WeakMap<Connection, McpLogLevel>();
  const ledgers: Ledgers = {
    clients,
    flights: createFlights(clock),
    users: new ServerUsers(),
    levels: new LogLevels(),
    subscriptions: new Subscriptions(),
    elicitations: new Elicitations(),
    tasks: new Tasks(),
    connections,
  };
  const { flights, users, levels, subscriptions, elicitations, tasks } = ledgers;

  for (const server of supervisor.servers.values()) follow(server);
  const watched = [
    supervisor.onState(({ server }) => follow(server)),
    supervisor.onNotification(deliverNotices(ledgers)),
    supervisor.onNotification(({ key, notification: { method, params } }) => {
      if (method !== 'notifications/message') return;
      supervisor.servers.get(key)?.log.append('server', formatLogMessage(params));
    }),
    supervisor.onLateAnswer(({ key, connection, id }) =>
      flights.finished(connection ?? connections.get(key), id),
    ),
    supervisor.serveRequests(answerServers(ledgers)),
  ];

  /** A new connection knows nothing of what was agreed on an earlier one. */
  function follow(server: SupervisedServer): void {
    const { key } = server;
    const connection = connectionOf(server);
    if (connection === connections.get(key)) return;
    users.forget(key);
    if (connection === undefined) return void connections.delete(key);
    connections.set(key, connection);
    tellLevel(key).catch(ignore);
    for (const uri of subscriptions.urisOf(key)) {
      connection.request('resources/subscribe', { uri }).result.catch(ignore);
    }
  }

  async function tellLevel(key: string): Promise<void> {
    const connection = connections.get(key);
    const level = levels.levelFor(key);
    if (connection?.handshake.capabilities.logging === undefined || level === undefined) return;
    if (toldLevels.get(connection) === level) return;
    toldLevels.set(connection, level);
    await connection.request('logging/setLevel', { level }).result;
  }

  async function setLogLevel(caller: Caller, level: McpLogLevel): Promise<void> {
    levels.set(caller, level);
    const keys = caller.only === undefined ? [...connections.keys()] : [caller.only];
    const told = keys.map(tellLevel);
    // A server alone may say what it thinks of it; of many, none may keep the others' client waiting.
    const all = caller.only === undefined ? Promise.allSettled(told) : Promise.all(told);
    await Promise.race([all, delay(clock, levelPatience)]);
  }

  /** These servers are to ask for roots again. */
  function offerRoots(keys: readonly string[]): void {
    for (const key of keys) connections.get(key)?.notify('notifications/roots/list_changed').catch(ignore);
  }

  /** Most servers ask for roots once, right after their start, when there may be no client yet. */
  function hasRoots(caller: Caller): void {
    offerRoots(users.rootless.filter((key) => users.likeliest(key) === caller));
  }

  function leave(caller: Caller): void {
    const orphaned = users.knowRootsOf(caller);
    users.leave(caller);
    offerRoots(orphaned.filter((key) => users.likeliest(key) !== undefined));
    levels.delete(caller);
    elicitations.drop(caller);
    tasks.drop(caller);
    for (const key of connections.keys()) tellLevel(key).catch(ignore);
    for (const { serverKey, uri } of subscriptions.drop(caller)) {
      connections.get(serverKey)?.request('resources/unsubscribe', { uri }).result.catch(ignore);
    }
  }

  function join(caller: Caller): Participant {
    users.join(caller);
    return {
      track: (router) => trackCalls(ledgers, caller, router),
      setLogLevel: (level) => setLogLevel(caller, level),
      subscribe: (serverKey, uri, forward) => subscriptions.subscribe(caller, serverKey, uri, forward),
      unsubscribe: (serverKey, uri, forward) => subscriptions.unsubscribe(caller, serverKey, uri, forward),
      tasks: {
        created: (place) => tasks.created(caller, place),
        find: (told) => tasks.find(caller, told),
        toldId: (place) => tasks.toldId(caller, place),
        servers: () => tasks.serversOf(caller),
      },
      hasRoots: () => hasRoots(caller),
      rootsChanged: () => offerRoots(users.knowRootsOf(caller)),
      dispose: () => leave(caller),
    };
  }

  return {
    join,
    dispose() {
      for (const subscription of watched) subscription.dispose();
      connections.clear();
    },
  };
}

/** Milliseconds a client waits for servers to take note of a log level. */
const levelPatience = 2_000;

function connectionOf({ state }: SupervisedServer): Connection | undefined {
  return 'connection' in state ? state.connection : undefined;
}
