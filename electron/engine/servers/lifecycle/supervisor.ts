import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import { delay } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import { RpcError, rpcErrorCodes } from '../../jsonrpc/message.ts';
import type {
  Connection,
  LateAnswer,
  ServerNotification,
  ServerRequest,
  ServerRequestHandler,
  ServerStateChange,
  SupervisedServer,
  Supervisor,
} from '../contract.ts';
import { currentFolder } from '../environment/default-folder.ts';
import { createContainers } from '../process/containers/containers.ts';
import { type OpenedRegistry, openPidRegistry } from '../process/orphans/open-pid-registry.ts';
import { createProcessTables } from '../process/table/process-tables.ts';
import type { ServerConfig } from '../server-config.ts';
import { EraMemory } from './connection/era-memory.ts';
import { runStdio } from './connection/run-stdio.ts';
import { draining } from './diagnosis/failure-problems.ts';
import { type InstanceIdentity, instanceLabel, ManagedInstances } from './instances/instances.ts';
import { ManagedServer } from './managed-server.ts';
import type { ServerEvents } from './managed-server-options.ts';
import type { RunOptions, RunPorts, RunResult } from './run.ts';
import type { SupervisorHooks, SupervisorOptions, SupervisorTiming } from './supervisor-options.ts';
import { type Trial, tryConfig } from './try-config.ts';

/**
 * Creates the owner of all server processes. Before its first start it ends what an earlier hub left behind.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  return new ServerSupervisor(options);
}

class ServerSupervisor implements Supervisor {
  readonly #servers = new Map<string, ManagedServer>();
  /** Removed servers that are draining or ending. */
  readonly #ending = new Map<string, ManagedServer>();
  readonly instances: ManagedInstances;
  readonly #trials = new Set<Trial>();
  readonly #stateEmitter = new Emitter<ServerStateChange>();
  readonly #notificationEmitter = new Emitter<ServerNotification>();
  readonly #ports: RunPorts;
  readonly #openedRegistry: OpenedRegistry;
  readonly #lateEmitter = new Emitter<LateAnswer>();
  #handler: ServerRequestHandler = refuseRequest;
  readonly #hooks: SupervisorHooks;
  #isDraining = false;
  #isClosed = false;

  constructor(options: SupervisorOptions) {
    const { clock, logger, env, version, instanceId, defaultCwd = currentFolder() } = options;
    const { authorize, refreshEnv } = options;
    this.#hooks = options;
    this.instances = new ManagedInstances(
      (identity, events) => this.#createInstance(identity, events),
      clock,
    );
    const timing = { ...defaultTiming, ...options.timing };
    const processes = createProcessTables({ clock });
    const reapOptions = { clock, logger, processes, step: timing.stopStep };
    this.#openedRegistry = openPidRegistry(options.registryFile, reapOptions);
    const { registry } = this.#openedRegistry;
    const containers = createContainers({
      clock,
      logger,
      registry,
      orphans: this.#openedRegistry.orphanContainers,
      env,
      ...(options.registryFile === undefined ? {} : { registryFile: options.registryFile }),
    });
    this.#ports = {
      run: (runOptions) => this.#run(runOptions),
      clock,
      logger,
      env,
      registry,
      containers,
      processes,
      version,
      instanceId,
      defaultCwd,
      timing,
      eras: new EraMemory(clock, logger, options.erasFile),
      sessionStreams: new Map(),
      ...(authorize === undefined ? {} : { authorize }),
      ...(refreshEnv === undefined ? {} : { refreshEnv }),
    };
  }

  get servers(): ReadonlyMap<string, ManagedServer> {
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
    this.#handler = handler;
    return {
      dispose: () => {
        if (this.#handler === handler) this.#handler = refuseRequest;
      },
    };
  }

  apply(configs: readonly ServerConfig[]): void {
    if (this.#isClosed) return;
    const keys = new Set(configs.map((config) => config.key));
    for (const key of [...this.#servers.keys()]) {
      if (!keys.has(key)) this.#remove(key);
    }
    for (const config of configs) this.#serverOf(config.key).apply(config);
    this.instances.apply(configs);
  }

  restart(key: string): void {
    this.#serverToChange(key)?.restart();
    this.instances.restart(key);
  }

  fail(id: string, reason: Problem): void {
    if (!this.instances.fail(id, reason)) this.#serverToChange(id)?.fail(reason);
  }

  sleep(key: string): void {
    this.#serverToChange(key)?.sleep();
    this.instances.sleep(key);
  }

  markListed(key: string): void {
    this.#servers.get(key)?.markListed();
  }

  forceUpdate(key: string): void {
    this.#serverToChange(key)?.forceUpdate();
    this.instances.forceUpdate(key);
  }

  dismissUpdate(key: string): void {
    this.#serverToChange(key)?.dismissUpdate();
  }

  async tryConfig<Result>(
    config: ServerConfig,
    use: (connection: Connection) => Promise<Result>,
  ): Promise<Result> {
    if (this.#isClosed) throw new ProblemError(draining(config.key));
    const trial = tryConfig({ config, use, ports: this.#ports });
    this.#trials.add(trial);
    try {
      return await trial.result;
    } finally {
      await trial.exited;
      this.#trials.delete(trial);
    }
  }

  async drain(milliseconds: number): Promise<void> {
    this.#isDraining = true;
    const drained = [...this.#servers.values(), ...this.#ending.values()].map((server) =>
      server.refuseCalls(),
    );
    const all = [...drained, this.instances.refuseCalls()];
    await Promise.race([Promise.all(all), delay(this.#ports.clock, milliseconds)]);
  }

  resume(): void {
    this.#isDraining = false;
    for (const server of [...this.#servers.values(), ...this.#ending.values()]) server.takeCalls();
    this.instances.takeCalls();
  }

  async shutdown(): Promise<void> {
    this.#isClosed = true;
    for (const trial of this.#trials) trial.end();
    await Promise.all([
      this.#openedRegistry.close(),
      this.instances.shutdown(),
      ...[...this.#servers.values(), ...this.#ending.values()].map((server) => server.end()),
      ...[...this.#trials].map(({ exited }) => exited),
    ]);
    await this.#ports.eras.settled();
  }

  /** Returns undefined after the shutdown has begun. */
  #serverToChange(key: string): ManagedServer | undefined {
    if (this.#isClosed) return undefined;
    const server = this.#servers.get(key);
    if (server === undefined) throw unknownServer(key);
    return server;
  }

  /**
   * Reuses a removed server that has not ended yet: there is never a second owner for the processes of one
   * key.
   */
  #serverOf(key: string): ManagedServer {
    const server = this.#servers.get(key) ?? this.#ending.get(key) ?? this.#create(key);
    this.#ending.delete(key);
    this.#servers.set(key, server);
    return server;
  }

  #createInstance({ key, ...identity }: InstanceIdentity, events: ServerEvents): ManagedServer {
    const { hasOpenWork } = this.#hooks;
    const log = this.#servers.get(key)?.log;
    return new ManagedServer({
      ...identity,
      key,
      ports: this.#ports,
      random: Math.random,
      events,
      hooks: hasOpenWork === undefined ? {} : { hasOpenWork },
      sharedLog: log && { log, label: instanceLabel(identity) },
    });
  }

  #create(key: string): ManagedServer {
    const server = new ManagedServer({
      key,
      ports: this.#ports,
      random: Math.random,
      events: {
        state: (change) => this.#stateEmitter.fire(change),
        notification: ({ server: _, ...notification }) =>
          this.#notificationEmitter.fire({ key, ...notification }),
        lateAnswer: (answer) => this.#lateEmitter.fire({ key, ...answer }),
        request: (_server, request) => this.#handler(key, request),
      },
      hooks: this.#hooks,
    });
    if (this.#isDraining) void server.refuseCalls();
    return server;
  }

  #remove(key: string): void {
    const server = this.#servers.get(key);
    this.#servers.delete(key);
    if (server === undefined) return;
    this.#ending.set(key, server);
    void server.retire().then(() => {
      if (server.isGone && this.#ending.get(key) === server) this.#ending.delete(key);
    });
  }

  async #run(options: RunOptions): Promise<RunResult> {
    await this.#openedRegistry.cleared;
    if (options.signal.aborted) return { ending: { kind: 'stopped' }, left: [] };
    const { target } = options;
    if (target.kind === 'stdio') return runStdio({ ...options, target });
    // Loads an HTTP client only if there are remote servers.
    const { runRemote } = await import('./connection/run-remote.ts');
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
