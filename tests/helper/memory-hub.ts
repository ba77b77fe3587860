import { type Clock, systemClock } from '../../electron/engine/base/clock.ts';
import { emptyListing, type ServerListing } from '../../electron/engine/catalogue/contract.ts';
import { LinkedResources } from '../../electron/engine/catalogue/linked-resources.ts';
import { createView } from '../../electron/engine/catalogue/view/view.ts';
import { createViews } from '../../electron/engine/gateway/session/catalogue/views.ts';
import type {
  SessionAccess,
  SessionConnection,
} from '../../electron/engine/gateway/session/session-contract.ts';
import { createSessionRegistry } from '../../electron/engine/gateway/session/session-registry.ts';
import {
  type JsonRpcId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  RpcError,
} from '../../electron/engine/jsonrpc/message.ts';
import { createPeer } from '../../electron/engine/jsonrpc/peer.ts';
import type { Peer } from '../../electron/engine/jsonrpc/peer-contract.ts';
import type { Transport } from '../../electron/engine/jsonrpc/transport.ts';
import { ActiveCalls } from '../../electron/engine/routing/active-calls.ts';
import { Router } from '../../electron/engine/routing/router.ts';
import { ServerRequests } from '../../electron/engine/routing/server-requests/server-requests.ts';
import type {
  Connection,
  InstanceLateAnswer,
  ServerNotification,
  ServerRequest,
} from '../../electron/engine/servers/contract.ts';
import { ServerConnection } from '../../electron/engine/servers/lifecycle/connection/server-connection.ts';
import { openSession } from '../../electron/engine/servers/lifecycle/connection/session.ts';
import type { InstanceIdentity } from '../../electron/engine/servers/lifecycle/instances/instances.ts';
import { ServerSecrets } from '../../electron/engine/servers/log/server-secrets.ts';
import { createMemoryTransportPair } from '../../electron/engine/transport/memory-transport.ts';
import { type Problem, ProblemError, problem } from '../../shared/error/problem.ts';
import { createFakeInstances, type FakeInstance, isolatedOrder } from './fake-instances.ts';
import { createFakeSupervisor, type FakeServer } from './fake-supervisor.ts';
import { catalogueOf, surroundings } from './gateway.ts';

type Params = Readonly<Record<string, unknown>>;

/** Answers of one side, by method; other methods are refused. */
export type Answers = Readonly<Record<string, (params: Params, id: JsonRpcId) => unknown>>;

export interface Talker {
  readonly peer: Peer;
  /** Everything that arrived, in order. */
  readonly requests: JsonRpcRequest[];
  readonly notices: JsonRpcNotification[];
  /** Params of the notices of one method. */
  noticed(method: string): readonly Params[];
  ask(method: string, params?: Params): Promise<unknown>;
}

/** Messages of a server, with the connection that they came over once it is initialized. */
interface ServerEvents {
  notification(told: Pick<ServerNotification, 'notification' | 'connection' | 'relatedTo'>): void;
  request(request: ServerRequest): Promise<unknown>;
  late(answer: InstanceLateAnswer): void;
}

export interface MemoryServer {
  /** Tells which call its messages belong to, as HTTP does: by the member `relatedTo` of their params. */
  readonly relates?: boolean;
  readonly capabilities?: ServerListing['capabilities'];
  readonly offer?: Partial<ServerListing>;
  readonly answers: Answers;
}

/** A whole hub in this process: scripted servers behind real connections, real sessions in front. */
export function createMemoryHub(
  servers: Readonly<Record<string, MemoryServer>>,
  options: {
    readonly clock?: Clock;
    readonly clients?: 'one' | 'many';
    /** Grants of each client; without it, everything is allowed. */
    readonly access?: SessionAccess;
    /** Servers of which each session has an instance; made of what this returns. */
    readonly isolated?: Readonly<Record<string, (identity: InstanceIdentity) => MemoryServer>>;
  } = {},
) {
  const { clock = systemClock, isolated = {} } = options;
  const supervisor = createFakeSupervisor(Object.keys(servers));
  const catalogue = catalogueOf(
    Object.fromEntries(
      Object.entries(servers).map(([key, { capabilities = { tools: {} }, offer }]) => [
        key,
        { ...emptyListing, protocolVersion: '2025-11-25', capabilities, ...offer },
      ]),
    ),
    clock,
  );
  const { instances, all } = createFakeInstances(openInstance, async ({ identity: { id } }) =>
    talkers.get(id)?.peer.close(),
  );
  const links = new LinkedResources(() => catalogue.current);
  const calls = new ActiveCalls();
  const serverRequests = new ServerRequests({
    supervisor,
    instances,
    calls,
    clock,
    ...(options.clients === undefined ? {} : { clients: options.clients }),
  });
  const router = new Router({
    calls,
    serverRequests,
    supervisor: {
      onNotification: supervisor.onNotification,
      serverFor: (key, session) => instances.serverFor(key, session) ?? supervisor.serverFor(key),
    },
    instances,
    clock,
    waitMs: 100,
    links,
  });
  instances.apply(Object.keys(isolated).map((key) => isolatedOrder(key)));
  const sessions = createSessionRegistry(
    surroundings({
      catalogue,
      router,
      serverRequests,
      clock,
      views: createViews((whole, profile, memo) =>
        createView(whole, profile, memo, (uri) => links.serverOf(uri)),
      ),
      ...(options.access === undefined ? {} : { access: options.access }),
    }),
  );
  const talkers = new Map<string, Talker>();

  function connect(key: string): Promise<Talker> {
    return attach(supervisor.server(key), servers[key], {
      notification: ({ notification, relatedTo, connection }) =>
        supervisor.notify(key, notification, relatedTo, connection),
      request: (request) => supervisor.ask(key, request),
      late: ({ id, connection }) => supervisor.answerLate(key, id, connection),
    });
  }

  function openInstance(instance: FakeInstance): void {
    void connectInstance(instance);
  }

  function connectInstance({ identity, server, events }: FakeInstance): Promise<Talker> {
    return attach(server, isolated[identity.key]?.(identity), {
      notification: (notification) => events.notification({ server, ...notification }),
      request: (request) => events.request(server, request),
      late: (late) => events.lateAnswer(late),
    });
  }

  async function attach(
    server: FakeServer,
    { answers, relates, capabilities = { tools: {} } }: MemoryServer = { answers: {} },
    events: ServerEvents,
  ): Promise<Talker> {
    const [near, far] = createMemoryTransportPair();
    if (relates) tellRelation(near);
    const talker = talk(far, answers);
    let connection: Connection | undefined;
    const from = () => (connection === undefined ? {} : { connection });
    const session = openSession(near, {
      log: server.log,
      events: {
        started: () => {},
        connected: () => {},
        disconnected: () => {},
        idle: () => {},
        notification: (notification, relatedTo) =>
          events.notification({ notification, ...from(), ...(relatedTo === undefined ? {} : { relatedTo }) }),
        request: (request) => events.request({ ...request, ...from() }),
        lateAnswer: (id) => events.late({ id, ...from() }),
      },
    });
    await Promise.all([talker.peer.start(), session.peer.start()]);
    connection = new ServerConnection({
      peer: session.peer,
      handshake: {
        protocolVersion: '2025-11-25',
        capabilities,
        serverInfo: { name: server.key, version: '1' },
      },
      secrets: new ServerSecrets([]),
      refusal: () => undefined,
      endsLate: false,
    });
    talkers.set(server.id, talker);
    server.connected(connection);
    return talker;
  }

  async function connectClient(wish: Partial<SessionConnection>, answers: Answers): Promise<Talker> {
    const [near, far] = createMemoryTransportPair();
    const client = talk(far, answers);
    await sessions.open({ transport: near, via: 'bridge', ...wish });
    await client.peer.start();
    return client;
  }

  /** The result of `initialize`. */
  async function greet(client: Talker, capabilities: Params = allAbilities, name = 'test'): Promise<unknown> {
    const clientInfo = { name, version: '1' };
    const greeting = await client.ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities,
      clientInfo,
    });
    await client.peer.notify('notifications/initialized');
    return greeting;
  }

  return {
    supervisor,
    instances,
    /** In the order in which they were made. */
    get made(): readonly FakeInstance[] {
      return all;
    },
    /** Ends the connection of an instance, as a crash does, and starts it again. */
    async restartInstance(instance: FakeInstance): Promise<Talker> {
      await talkers.get(instance.identity.id)?.peer.close();
      instance.server.lost(crashed());
      return connectInstance(instance);
    },
    catalogue,
    sessions,
    isInUse: (id: string) => serverRequests.hasOpenWork(id),
    /** Starts or restarts a server. */
    connect,
    server(key: string): Talker {
      const talker = talkers.get(key);
      if (talker === undefined) throw new Error(`The server ${key} was never connected`);
      return talker;
    },
    /** Ends a server's connection, as a crash does. */
    async crash(key: string): Promise<void> {
      await talkers.get(key)?.peer.close();
      supervisor.server(key).failed(new ProblemError(crashed()));
    },
    async client(answers: Answers = {}, capabilities: Params = allAbilities, name = 'test'): Promise<Talker> {
      const client = await connectClient({ askedStyle: 'colon' }, answers);
      await greet(client, capabilities, name);
      return client;
    },
    /** A client of one server, not yet greeted. */
    direct: (only: string, answers: Answers = {}) => connectClient({ only }, answers),
    greet,
    async [Symbol.asyncDispose]() {
      await sessions.close();
      serverRequests.dispose();
      router.dispose();
      catalogue.dispose();
      await Promise.all([...talkers.values()].map(({ peer }) => peer.close()));
    },
  };
}

function crashed(): Problem {
  return problem('server.crashed', 'It crashed.', 'Wait.');
}

/** A client that can do whatever the protocol has. */
export const allAbilities: Params = {
  sampling: { tools: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

function tellRelation(transport: Transport): void {
  const start = transport.start.bind(transport);
  transport.start = (handlers) =>
    start({
      ...handlers,
      message(message) {
        const related = 'method' in message ? message.params?.relatedTo : undefined;
        handlers.message(message, typeof related === 'number' ? related : undefined);
      },
    });
}

function talk(transport: Transport, answers: Answers): Talker {
  const requests: JsonRpcRequest[] = [];
  const notices: JsonRpcNotification[] = [];
  const peer = createPeer(transport, {
    async request(request) {
      requests.push(request);
      const answer = answers[request.method];
      if (answer === undefined) throw new RpcError({ code: -32601, message: `No ${request.method}` });
      return answer(request.params ?? {}, request.id);
    },
    notification: (notification) => void notices.push(notification),
    closed: () => {},
  });
  return {
    peer,
    requests,
    notices,
    noticed: (method) => notices.flatMap((notice) => (notice.method === method ? [notice.params ?? {}] : [])),
    ask: (method, params) => peer.request(method, params).result,
  };
}
