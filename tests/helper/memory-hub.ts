import { type Clock, systemClock } from '../../electron/engine/base/clock.ts';
import { emptyOffer, type Offer } from '../../electron/engine/catalogue/contract.ts';
import type { SessionConnection } from '../../electron/engine/gateway/session-contract.ts';
import { createSessionRegistry } from '../../electron/engine/gateway/session-registry.ts';
import { createBackchannel } from '../../electron/engine/route/backchannel.ts';
import { createRouter } from '../../electron/engine/route/router.ts';
import {
  type JsonRpcId,
  type JsonRpcNotification,
  type JsonRpcRequest,
  RpcError,
} from '../../electron/engine/rpc/message.ts';
import { createPeer } from '../../electron/engine/rpc/peer.ts';
import type { Peer } from '../../electron/engine/rpc/peer-contract.ts';
import type { Transport } from '../../electron/engine/rpc/transport.ts';
import type { Connection } from '../../electron/engine/supervise/contract.ts';
import { openSession, toConnection } from '../../electron/engine/supervise/session.ts';
import { createMemoryTransportPair } from '../../electron/engine/transport/memory-transport.ts';
import { ProblemError, problem } from '../../shared/error/problem.ts';
import { createFakeSupervisor } from './fake-supervisor.ts';
import { catalogueOf, surroundings } from './gateway.ts';

type Params = Readonly<Record<string, unknown>>;

/** What one side does with what the other asks; a method without an entry is refused. */
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

export interface MemoryServer {
  /** Tells which call its messages belong to, as HTTP does: by the member `relatedTo` of their params. */
  readonly relates?: boolean;
  readonly capabilities?: Offer['capabilities'];
  readonly offer?: Partial<Offer>;
  readonly answers: Answers;
}

/** A whole hub in this process: scripted servers behind real connections, real sessions in front. */
export function createMemoryHub(
  servers: Readonly<Record<string, MemoryServer>>,
  options: { readonly clock?: Clock; readonly clients?: 'one' | 'many' } = {},
) {
  const { clock = systemClock } = options;
  const supervisor = createFakeSupervisor(Object.keys(servers));
  const catalogue = catalogueOf(
    Object.fromEntries(
      Object.entries(servers).map(([key, { capabilities = { tools: {} }, offer }]) => [
        key,
        { ...emptyOffer, protocolVersion: '2025-11-25', capabilities, ...offer },
      ]),
    ),
    clock,
  );
  const router = createRouter({ supervisor, clock, waitMs: 100 });
  const backchannel = createBackchannel({
    supervisor,
    clock,
    ...(options.clients === undefined ? {} : { clients: options.clients }),
  });
  const sessions = createSessionRegistry(surroundings({ catalogue, router, backchannel, clock }));
  const talkers = new Map<string, Talker>();

  async function connect(key: string): Promise<Talker> {
    const { answers, relates, capabilities = { tools: {} } }: MemoryServer = servers[key] ?? { answers: {} };
    const [near, far] = createMemoryTransportPair();
    if (relates) tellRelation(near);
    const server = talk(far, answers);
    const session = openSession(near, {
      log: supervisor.server(key).log,
      events: {
        started: () => {},
        connected: () => {},
        lost: () => {},
        notification: (notification, relatedTo) => supervisor.notify(key, notification, relatedTo),
        request: (request) => supervisor.ask(key, request),
        late: (id) => supervisor.answerLate(key, id),
      },
    });
    await Promise.all([server.peer.start(), session.peer.start()]);
    const connection: Connection = toConnection(session.peer, {
      protocolVersion: '2025-11-25',
      capabilities,
      serverInfo: { name: key, version: '1' },
    });
    supervisor.server(key).connected(connection);
    talkers.set(key, server);
    return server;
  }

  async function connectClient(wish: Partial<SessionConnection>, answers: Answers): Promise<Talker> {
    const [near, far] = createMemoryTransportPair();
    const client = talk(far, answers);
    await sessions.open({ transport: near, via: 'bridge', ...wish });
    await client.peer.start();
    return client;
  }

  /** The result of `initialize`. */
  async function greet(client: Talker, capabilities: Params = allAbilities): Promise<unknown> {
    const clientInfo = { name: 'test', version: '1' };
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
    catalogue,
    sessions,
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
      supervisor.server(key).failed(new ProblemError(problem('server.crashed', 'It crashed.', 'Wait.')));
    },
    async client(answers: Answers = {}, capabilities: Params = allAbilities): Promise<Talker> {
      const client = await connectClient({ askedStyle: 'colon' }, answers);
      await greet(client, capabilities);
      return client;
    },
    /** A client of one server, not yet greeted. */
    direct: (only: string, answers: Answers = {}) => connectClient({ only }, answers),
    greet,
    async [Symbol.asyncDispose]() {
      await sessions.close();
      backchannel.dispose();
      router.dispose();
      catalogue.dispose();
      await Promise.all([...talkers.values()].map(({ peer }) => peer.close()));
    },
  };
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
