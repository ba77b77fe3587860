import { ProblemError, problem } from '../../../shared/error/problem.ts';
import { Emitter } from '../base/emitter.ts';
import { RpcError, rpcErrorCodes } from '../rpc/message.ts';
import type {
  LateAnswer,
  ServerNotification,
  ServerOrder,
  ServerRequest,
  ServerRequestHandler,
  ServerStateChange,
  Supervisor,
  SupervisorOptions,
  SupervisorTiming,
} from './contract.ts';
import { openLedger } from './open-ledger.ts';
import { createProcessTables } from './process-tables.ts';
import type { RunOptions, RunPorts, RunResult } from './run.ts';
import { runStdio } from './run-stdio.ts';
import { OwnedServer } from './supervised-server.ts';

/** Owns all server processes. Before its first start it ends what an earlier hub left behind. */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  return new ServerSupervisor(options);
}

class ServerSupervisor implements Supervisor {
  readonly #servers = new Map<string, OwnedServer>();
  /** Removed servers whose processes still end; their key must not start anew before. */
  readonly #leaving = new Map<string, Promise<void>>();
  readonly #stateEmitter = new Emitter<ServerStateChange>();
  readonly #notificationEmitter = new Emitter<ServerNotification>();
  readonly #ports: RunPorts;
  readonly #cleared: Promise<void>;
  readonly #lateEmitter = new Emitter<LateAnswer>();
  #answer: ServerRequestHandler = refuseRequest;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    const { clock, logger, env, version, instanceId, defaultCwd = process.cwd() } = options;
    const { authorize, refreshEnv } = options;
    const timing = { ...defaultTiming, ...options.timing };
    const processes = createProcessTables();
    const reap = { clock, logger, processes, step: timing.stopStep };
    const { ledger, cleared } = openLedger(options.ledgerFile, reap);
    this.#ports = {
      clock,
      logger,
      env,
      ledger,
      processes,
      version,
      instanceId,
      defaultCwd,
      timing,
      ...(authorize === undefined ? {} : { authorize }),
      ...(refreshEnv === undefined ? {} : { refreshEnv }),
    };
    this.#cleared = cleared;
  }

  get servers(): ReadonlyMap<string, OwnedServer> {
    return this.#servers;
  }

  serverFor(key: string): OwnedServer | undefined {
    return this.#servers.get(key);
  }

  get onState() {
    return this.#stateEmitter.event;
  }

  get onNotification() {
    return this.#notificationEmitter.event;
  }

  get onLateAnswer() {
    return this.#lateEmitter.event;
  }

  serveRequests(handler: ServerRequestHandler) {
    this.#answer = handler;
    return {
      dispose: () => {
        if (this.#answer === handler) this.#answer = refuseRequest;
      },
    };
  }

  apply(orders: readonly ServerOrder[]): void {
    if (this.#isClosed) return;
    const wanted = new Set(orders.map((order) => order.key));
    for (const key of [...this.#servers.keys()]) {
      if (!wanted.has(key)) this.#remove(key);
    }
    for (const order of orders) this.#serverFor(order.key).apply(order);
  }

  restart(key: string): void {
    if (this.#isClosed) return;
    const server = this.#servers.get(key);
    if (server === undefined) throw unknownServer(key);
    server.restart();
  }

  fail(key: string): void {
    this.restart(key);
  }

  sleep(): void {}

  listed(): void {}

  forceUpdate(key: string): void {
    this.restart(key);
  }

  dismissUpdate(): void {}

  async tryOrder(): Promise<never> {
    throw new ProblemError(problem('internal', 'Orders cannot be tried yet.', 'Save it to try it.'));
  }

  async drain(): Promise<void> {}

  async shutdown(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([
      this.#cleared,
      ...[...this.#servers.values()].map((server) => server.retire()),
      ...this.#leaving.values(),
    ]);
  }

  #serverFor(key: string): OwnedServer {
    const known = this.#servers.get(key);
    if (known !== undefined) return known;
    const predecessor = this.#leaving.get(key);
    const server = new OwnedServer({
      key,
      ports: this.#ports,
      run: (options) => this.#run(options, predecessor),
      random: Math.random,
      onState: (changed, previous) => this.#stateEmitter.fire({ server: changed, previous }),
      onNotification: (notification, relatedTo) =>
        this.#notificationEmitter.fire({
          key,
          notification,
          ...(relatedTo === undefined ? {} : { relatedTo }),
        }),
      onLate: (id) => this.#lateEmitter.fire({ key, id }),
      onRequest: (request) => this.#answer(key, request),
    });
    this.#servers.set(key, server);
    return server;
  }

  #remove(key: string): void {
    const server = this.#servers.get(key);
    this.#servers.delete(key);
    const earlier = this.#leaving.get(key);
    const gone = Promise.all([earlier, server?.retire()]).then(() => {
      if (this.#leaving.get(key) === gone) this.#leaving.delete(key);
    });
    this.#leaving.set(key, gone);
  }

  async #run(options: RunOptions, predecessor: Promise<void> | undefined): Promise<RunResult> {
    await Promise.all([this.#cleared, predecessor]);
    if (options.signal.aborted) return { ending: { kind: 'stopped' }, left: [] };
    const { target } = options;
    if (target.kind === 'stdio') return runStdio({ ...options, target });
    // Only who has servers elsewhere pays for an HTTP client at every start.
    const { runRemote } = await import('./run-remote.ts');
    return runRemote({ ...options, target });
  }
}

const defaultTiming: SupervisorTiming = {
  handshake: 60_000,
  handshakeDownloading: 300_000,
  stopStep: 2_000,
  backoffInitial: 500,
  backoffMax: 30_000,
  stable: 60_000,
  slowProbe: 300_000,
  drain: 30_000,
};

async function refuseRequest(_key: string, { message: { method } }: ServerRequest): Promise<never> {
  throw new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}

function unknownServer(key: string): ProblemError {
  const sentence = `There is no server "${key}".`;
  return new ProblemError(problem('config.unknown_server', sentence, 'Choose one of the listed servers.'));
}
