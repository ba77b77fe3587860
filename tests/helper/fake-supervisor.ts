import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { JsonRpcId, JsonRpcNotification } from '../../electron/engine/jsonrpc/message.ts';
import type {
  Connection,
  LateAnswer,
  ServerNotification,
  ServerRequest,
  ServerRequestHandler,
  ServerState,
  ServerStateChange,
  SupervisedServer,
} from '../../electron/engine/servers/contract.ts';
import type { Problem, ProblemError } from '../../shared/error/problem.ts';
import type { ServerStatus } from '../../shared/model/server/server.ts';

/** A supervised server whose state a test decides. */
export interface FakeServer extends SupervisedServer {
  /** Milliseconds that callers were ready to wait. */
  readonly waits: readonly number[];
  /** Calls it is at work on. */
  activeCalls: number;
  connected(connection: Connection): void;
  failed(error: ProblemError): void;
  /** Waits for its next try. */
  lost(problem: Problem): void;
  /** Ends its process because nobody uses it. */
  asleep(): void;
  /** Ends its process for good. */
  ended(): void;
  /** From now on `connection` does this. */
  answerWith(connection: () => Promise<Connection>): void;
}

/** Servers without processes: each waits for its first connection until a test gives it one. */
export function createFakeSupervisor(keys: readonly string[]) {
  const notifications = new Emitter<ServerNotification>();
  const lateAnswers = new Emitter<LateAnswer>();
  const states = new Emitter<ServerStateChange>();
  const servers = new Map(
    keys.map((key) => {
      const server: FakeServer = createFakeServer(key, (previous) => states.fire({ server, previous }));
      return [key, server] as const;
    }),
  );
  let handler: ServerRequestHandler = () => Promise.reject(new Error('Nobody answers what servers ask'));
  return {
    servers,
    serverFor: (key: string): SupervisedServer | undefined => servers.get(key),
    onState: states.event,
    onNotification: notifications.event,
    notify: (
      key: string,
      notification: JsonRpcNotification,
      relatedTo?: JsonRpcId,
      connection?: Connection,
    ) =>
      notifications.fire({
        key,
        notification,
        ...(relatedTo === undefined ? {} : { relatedTo }),
        ...(connection === undefined ? {} : { connection }),
      }),
    onLateAnswer: lateAnswers.event,
    answerLate: (key: string, id: JsonRpcId, connection?: Connection) =>
      lateAnswers.fire({ key, id, ...(connection === undefined ? {} : { connection }) }),
    serveRequests(next: ServerRequestHandler) {
      handler = next;
      return { dispose: () => {} };
    },
    /** Sends a server's request to its client. */
    ask: (key: string, request: ServerRequest) => handler(key, request),
    get isHeard() {
      return notifications.hasListeners;
    },
    server(key: string): FakeServer {
      const server = servers.get(key);
      if (server === undefined) throw new Error(`There is no server ${key}.`);
      return server;
    },
  };
}

/** `identity` of an instance; by default it is one that clients share. */
export function createFakeServer(
  key: string,
  tell: (previous: ServerStatus) => void,
  identity: Pick<SupervisedServer, 'id' | 'sessionId'> = { id: key },
): FakeServer {
  const waits: number[] = [];
  const waiters: ((connection: Connection) => void)[] = [];
  let state: ServerState = { status: 'connecting', since: 0 };
  const show = (next: ServerState) => {
    const previous = state.status;
    state = next;
    tell(previous);
  };
  let answer = (): Promise<Connection> => new Promise((resolve) => waiters.push(resolve));
  return {
    key,
    ...identity,
    restarts: 0,
    activeCalls: 0,
    update: undefined,
    log: {
      lines: [],
      onLines: () => ({ dispose: () => {} }),
      append: () => {},
      clear: () => {},
      tail: () => [],
    },
    waits,
    get state() {
      return state;
    },
    connection(milliseconds) {
      waits.push(milliseconds);
      return answer();
    },
    connected(connection) {
      answer = () => Promise.resolve(connection);
      show({ status: 'connected', since: 0, connectedAt: 0, connection });
      for (const waiter of waiters.splice(0)) waiter(connection);
    },
    failed(error) {
      answer = () => Promise.reject(error);
      show({ status: 'error', since: 0, problem: error.problem });
    },
    lost(problem) {
      show({ status: 'disconnected', since: 0, problem });
    },
    asleep() {
      show({ status: 'disconnected', since: 0, asleep: true });
    },
    ended() {
      show({ status: 'disabled', since: 0 });
    },
    answerWith(connection) {
      show({ status: 'connecting', since: 0 });
      answer = connection;
    },
  };
}
