import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import { delay } from '../base/clock.ts';
import { Emitter } from '../base/emitter.ts';
import { RpcError, rpcErrorCodes } from '../rpc/message.ts';
import { createContainers } from './containers.ts';
import type {
  Connection,
  LateAnswer,
  ServerNotification,
  ServerOrder,
  ServerRequest,
  ServerRequestHandler,
  ServerStateChange,
  SupervisedServer,
  Supervisor,
} from './contract.ts';
import { draining } from './failure-problem.ts';
import { instanceEvents, labelOf } from './instance-events.ts';
import { type InstanceEvents, type InstanceIdentity, OwnedInstances } from './instances.ts';
import { type OpenedLedger, openLedger } from './open-ledger.ts';
import { createProcessTables } from './process-tables.ts';
import type { RunOptions, RunPorts, RunResult } from './run.ts';
import { runStdio } from './run-stdio.ts';
import { OwnedServer } from './supervised-server.ts';
import type { SupervisorOptions, SupervisorTiming } from './supervisor-options.ts';
import { type Trial, tryOrder } from './try-order.ts';

/**
 * Creates the owner of all server processes. Before its first start it ends what an earlier hub left behind.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  return new ServerSupervisor(options);
}

class ServerSupervisor implements Supervisor {
  readonly #servers = new Map<string, OwnedServer>();
  /** Removed servers that are draining or ending. */
  readonly #leaving = new Map<string, OwnedServer>();
  readonly instances: OwnedInstances;
  readonly #trials = new Set<Trial>();
  readonly #stateEmitter = new Emitter<ServerStateChange>();
  readonly #notificationEmitter = new Emitter<ServerNotification>();
  readonly #ports: RunPorts;
  readonly #opened: OpenedLedger;
  readonly #lateEmitter = new Emitter<LateAnswer>();
  #answer: ServerRequestHandler = refuseRequest;
  readonly #hooks: Pick<SupervisorOptions, 'isInUse' | 'beforeSleep' | 'mustListFirst' | 'prepare'>;
  #isDraining = false;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    const { clock, logger, env, version, instanceId, defaultCwd = process.cwd() } = options;
    const { authorize, refreshEnv } = options;
    this.#hooks = options;
    this.instances = new OwnedInstances((identity, events) => this.#createInstance(identity, events), clock);
    const timing = { ...defaultTiming, ...options.timing };
    const processes = createProcessTables({ clock });
    const reap = { clock, logger, processes, step: timing.stopStep };
    this.#opened = openLedger(options.ledgerFile, reap);
    const { ledger } = this.#opened;
    const containers = createContainers({
      clock,
      logger,
      ledger,
      left: this.#opened.leftContainers,
      env,
      ...(options.ledgerFile === undefined ? {} : { ledgerFile: options.ledgerFile }),
    });
    this.#ports = {
      clock,
      logger,
      env,
      ledger,
      containers,
      processes,
      version,
      instanceId,
      defaultCwd,
      timing,
      ...(authorize === undefined ? {} : { authorize }),
      ...(refreshEnv === undefined ? {} : { refreshEnv }),
    };
  }

  get servers(): ReadonlyMap<string, OwnedServer> {
    return this.#servers;
  }

  serverFor(key: string, sessionId: string): SupervisedServer | undefined {
    return this.instances.serverFor(key, sessionId) ?? this.#servers.get(key);
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
    for (const order of orders) this.#serverOf(order.key).apply(order);
    this.instances.apply(orders);
  }

  restart(key: string): void {
    this.#known(key)?.restart();
    this.instances.restart(key);
  }

  fail(id: string, reason: Problem): void {
    if (!this.instances.fail(id, reason)) this.#known(id)?.fail(reason);
  }

  sleep(key: string): void {
    this.#known(key)?.sleep();
    this.instances.sleep(key);
  }

  listed(key: string): void {
    this.#servers.get(key)?.listed();
  }

  forceUpdate(key: string): void {
    this.#known(key)?.forceUpdate();
    this.instances.forceUpdate(key);
  }

  dismissUpdate(key: string): void {
    this.#known(key)?.dismissUpdate();
  }

  async tryOrder<Result>(
    order: ServerOrder,
    use: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed) throw new ProblemError(draining(order.key));
    const trial = tryOrder({ order, use, ports: this.#ports, run: (options) => this.#run(options) });
    this.#trials.add(trial);
    try {
      return await trial.result;
    } finally {
      await trial.over;
      this.#trials.delete(trial);
    }
  }

  async drain(milliseconds: number): Promise<void> {
    this.#isDraining = true;
    const quiet = [...this.#servers.values(), ...this.#leaving.values()].map((server) =>
      server.refuseCalls(),
    );
    const all = [...quiet, this.instances.refuseCalls()];
    await Promise.race([Promise.all(all), delay(this.#ports.clock, milliseconds)]);
  }

  resume(): void {
    this.#isDraining = false;
    for (const server of [...this.#servers.values(), ...this.#leaving.values()]) server.takeCalls();
    this.instances.takeCalls();
  }

  async shutdown(): Promise<void> {
    this.#isClosed = true;
    for (const trial of this.#trials) trial.end();
    await Promise.all([
      this.#opened.close(),
      this.instances.shutdown(),
      ...[...this.#servers.values(), ...this.#leaving.values()].map((server) => server.end()),
      ...[...this.#trials].map(({ over }) => over),
    ]);
  }

  /** Returns undefined after the shutdown has begun. */
  #known(key: string): OwnedServer | undefined {
    if (this.#isClosed) return undefined;
    const server = this.#servers.get(key);
    if (server === undefined) throw unknownServer(key);
    return server;
  }

  /**
   * Reuses a removed server that has not ended yet: there is never a second owner for the processes of one
   * key.
   */
  #serverOf(key: string): OwnedServer {
    const server = this.#servers.get(key) ?? this.#leaving.get(key) ?? this.#create(key);
    this.#leaving.delete(key);
    this.#servers.set(key, server);
    return server;
  }

  #createInstance({ key, ...identity }: InstanceIdentity, events: InstanceEvents): OwnedServer {
    const { isInUse } = this.#hooks;
    const sharedLog = this.#servers.get(key)?.log;
    const label = labelOf(identity);
    const instance: OwnedServer = new OwnedServer({
      ...identity,
      key,
      ports: this.#ports,
      run: (options) => this.#run(options),
      random: Math.random,
      ...instanceEvents(() => instance, events),
      ...(sharedLog === undefined ? {} : { sharedLog: { log: sharedLog, label } }),
      ...(isInUse === undefined ? {} : { isInUse: () => isInUse(identity.id) }),
    });
    return instance;
  }

  #create(key: string): OwnedServer {
    const { isInUse, beforeSleep, mustListFirst, prepare } = this.#hooks;
    const server = new OwnedServer({
      key,
      ports: this.#ports,
      run: (options) => this.#run(options),
      random: Math.random,
      onState: (changed, previous) => this.#stateEmitter.fire({ server: changed, previous }),
      onNotification: (notification, relatedTo, connection) =>
        this.#notificationEmitter.fire({
          key,
          notification,
          ...(connection === undefined ? {} : { connection }),
          ...(relatedTo === undefined ? {} : { relatedTo }),
        }),
      onLate: (id, connection) =>
        this.#lateEmitter.fire({ key, id, ...(connection === undefined ? {} : { connection }) }),
      onRequest: (request) => this.#answer(key, request),
      ...(isInUse === undefined ? {} : { isInUse: () => isInUse(key) }),
      ...(beforeSleep === undefined ? {} : { beforeSleep: () => beforeSleep(key) }),
      ...(mustListFirst === undefined ? {} : { mustListFirst: () => mustListFirst(key) }),
      ...(prepare === undefined ? {} : { prepare: (connection) => prepare(key, connection) }),
    });
    if (this.#isDraining) void server.refuseCalls();
    return server;
  }

  #remove(key: string): void {
    const server = this.#servers.get(key);
    this.#servers.delete(key);
    if (server === undefined) return;
    this.#leaving.set(key, server);
    void server.retire().then(() => {
      if (server.isGone && this.#leaving.get(key) === server) this.#leaving.delete(key);
    });
  }

  async #run(options: RunOptions): Promise<RunResult> {
    await this.#opened.cleared;
    if (options.signal.aborted) return { ending: { kind: 'stopped' }, left: [] };
    const { target } = options;
    if (target.kind === 'stdio') return runStdio({ ...options, target });
    // Loads an HTTP client only if there are remote servers.
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
