import { Emitter } from '../../electron/engine/base/emitter.ts';
import type { JsonRpcNotification } from '../../electron/engine/rpc/message.ts';
import type { Connection, ServerState, SupervisedServer } from '../../electron/engine/supervise/contract.ts';
import type { ProblemError } from '../../shared/error/problem.ts';

/** A supervised server whose state a test decides. */
export interface FakeServer extends SupervisedServer {
  /** Milliseconds that callers were ready to wait. */
  readonly waits: readonly number[];
  connected(connection: Connection): void;
  failed(error: ProblemError): void;
  /** From now on `connection` does this. */
  answerWith(connection: () => Promise<Connection>): void;
}

/** Servers without processes: each waits for its first connection until a test gives it one. */
export function createFakeSupervisor(keys: readonly string[]) {
  const notifications = new Emitter<{ readonly key: string; readonly notification: JsonRpcNotification }>();
  const servers = new Map(keys.map((key) => [key, createFakeServer(key)] as const));
  return {
    servers,
    onNotification: notifications.event,
    notify: (key: string, notification: JsonRpcNotification) => notifications.fire({ key, notification }),
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

function createFakeServer(key: string): FakeServer {
  const waits: number[] = [];
  const waiters: ((connection: Connection) => void)[] = [];
  let state: ServerState = { status: 'connecting', since: 0 };
  let answer = (): Promise<Connection> => new Promise((resolve) => waiters.push(resolve));
  return {
    key,
    restarts: 0,
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
      state = { status: 'connected', since: 0, connectedAt: 0, connection };
      answer = () => Promise.resolve(connection);
      for (const waiter of waiters.splice(0)) waiter(connection);
    },
    failed(error) {
      state = { status: 'error', since: 0, problem: error.problem };
      answer = () => Promise.reject(error);
    },
    answerWith(connection) {
      answer = connection;
    },
  };
}
