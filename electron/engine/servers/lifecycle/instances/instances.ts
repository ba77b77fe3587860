import type { Problem } from '../../../../../shared/error/problem.ts';
import { type Clock, delay } from '../../../base/clock.ts';
import { type Disposable, Emitter } from '../../../base/emitter.ts';
import { RpcError, rpcErrorCodes } from '../../../jsonrpc/message.ts';
import {
  hubSessionId,
  type InitializeParams,
  type InstanceLateAnswer,
  type InstanceNotification,
  type InstanceRequestHandler,
  type InstanceSession,
  type Instances,
  type ServerStateChange,
  type SupervisedServer,
} from '../../contract.ts';
import type { ServerConfig } from '../../server-config.ts';
import type { ServerEvents } from '../managed-server-options.ts';
import { sessionGone, tooManyInstances } from './instance-problems.ts';

/** An instance with the operations of its owner. */
export interface ManagedInstance extends SupervisedServer {
  apply(config: ServerConfig): void;
  restart(): void;
  sleep(): void;
  forceUpdate(): void;
  /** See {@link Supervisor.fail}. */
  fail(problem: Problem): void;
  /** Stops taking new calls; resolves when the pending ones are answered. */
  refuseCalls(): Promise<void>;
  /** Takes calls again. */
  takeCalls(): void;
  /** Ends it once its calls are answered; resolves when all its processes are gone. */
  retire(): Promise<void>;
  /** Ends it immediately; resolves when all its processes are gone. */
  end(): Promise<void>;
}

/** Identity of an instance. */
export interface InstanceIdentity {
  readonly key: string;
  readonly id: string;
  readonly sessionId: string;
  /** Returns its client's `initialize` params at the time a process starts. */
  readonly initializeParams: () => InitializeParams | undefined;
}

export type CreateInstance = (identity: InstanceIdentity, events: ServerEvents) => ManagedInstance;

interface Holder {
  readonly session: InstanceSession;
  readonly instances: Map<string, ManagedInstance>;
  /** Last known `initialize` params of its client. */
  initializeParams: InitializeParams | undefined;
}

/** Owns the instances of all sessions. */
export class ManagedInstances implements Instances {
  readonly #createInstance: CreateInstance;
  readonly #clock: Clock;
  /** Isolated servers that can run. */
  #configs: ReadonlyMap<string, ServerConfig> = new Map();
  readonly #holders = new Map<string, Holder>();
  /** Instances that are draining or ending. */
  readonly #ending = new Set<ManagedInstance>();
  readonly #shutdown = new AbortController();
  #isDraining = false;
  readonly #states = new Emitter<ServerStateChange>();
  readonly #notifications = new Emitter<InstanceNotification>();
  readonly #lateAnswers = new Emitter<InstanceLateAnswer>();
  readonly onState = this.#states.event;
  readonly onNotification = this.#notifications.event;
  readonly onLateAnswer = this.#lateAnswers.event;
  readonly #events: ServerEvents = {
    state: (change) => this.#states.fire(change),
    notification: (notification) => this.#notifications.fire(notification),
    lateAnswer: (answer) => this.#lateAnswers.fire(answer),
    request: (server, request) => this.#answer(server, request),
  };
  #answer: InstanceRequestHandler = refuse;
  #createdCount = 0;

  constructor(make: CreateInstance, clock: Clock) {
    this.#createInstance = make;
    this.#clock = clock;
  }

  serveRequests(handler: InstanceRequestHandler): Disposable {
    this.#answer = handler;
    return {
      dispose: () => {
        if (this.#answer === handler) this.#answer = refuse;
      },
    };
  }

  isolates(key: string): boolean {
    return this.#configs.has(key);
  }

  of(key: string): readonly ManagedInstance[] {
    return [...this.#holders.values()].flatMap(({ instances }) => instances.get(key) ?? []);
  }

  ofSession(sessionId: string): readonly ManagedInstance[] {
    return [...(this.#holders.get(sessionId)?.instances.values() ?? [])];
  }

  /** A session that comes back finds its earlier instances. */
  admit(session: InstanceSession): Disposable {
    const { sessionId } = session;
    const known = this.#holders.get(sessionId);
    const { instances, initializeParams } = known ?? {
      instances: new Map<string, ManagedInstance>(),
      initializeParams: undefined,
    };
    const holder: Holder = { session, instances, initializeParams };
    this.#holders.set(sessionId, holder);
    return { dispose: () => void this.#release(holder) };
  }

  /**
   * Returns the session's own instance, creating it if necessary; undefined if the server is shared. Throws
   * ProblemError if the session cannot have one.
   */
  serverFor(key: string, sessionId: string): SupervisedServer | undefined {
    const config = this.#configs.get(key);
    if (config === undefined || sessionId === hubSessionId) return undefined;
    const holder = this.#holders.get(sessionId);
    if (holder === undefined) throw sessionGone(key);
    return holder.instances.get(key) ?? this.#create(config, sessionId, holder);
  }

  /** Makes the instances match: they follow a changed config like any server, and end with a removed one. */
  apply(configs: readonly ServerConfig[]): void {
    this.#configs = new Map(configs.filter(isIsolated).map((config) => [config.key, instanceConfig(config)]));
    for (const { instances } of this.#holders.values()) {
      for (const [key, instance] of instances) {
        const config = this.#configs.get(key);
        if (config === undefined) this.#end(instances, key, (each) => each.retire());
        else instance.apply(config);
      }
    }
  }

  /** Sleeping instances start fresh anyway when they are called. */
  restart(key: string): void {
    for (const instance of this.of(key)) if (!isAsleep(instance)) instance.restart();
  }

  /** Returns false if there is no instance with this id. */
  fail(id: string, problem: Problem): boolean {
    const held = [...this.#holders.values()].flatMap((holder) => [...holder.instances.values()]);
    const instance = held.find((other) => other.id === id);
    instance?.fail(problem);
    return instance !== undefined;
  }

  sleep(key: string): void {
    for (const instance of this.of(key)) instance.sleep();
  }

  forceUpdate(key: string): void {
    for (const instance of this.of(key)) instance.forceUpdate();
  }

  /**
   * Stops taking new calls, also for instances created later; resolves when the pending ones are answered.
   */
  async refuseCalls(): Promise<void> {
    this.#isDraining = true;
    await Promise.all(this.#all().map((instance) => instance.refuseCalls()));
  }

  /** Takes calls again, also for instances created later. */
  takeCalls(): void {
    this.#isDraining = false;
    for (const instance of this.#all()) instance.takeCalls();
  }

  /** Ends all; resolves when all processes are gone. */
  async shutdown(): Promise<void> {
    const all = this.#all();
    this.#shutdown.abort();
    this.#holders.clear();
    this.#configs = new Map();
    await Promise.all(all.map((instance) => instance.end()));
  }

  #all(): readonly ManagedInstance[] {
    const held = [...this.#holders.values()].flatMap((holder) => [...holder.instances.values()]);
    return [...held, ...this.#ending];
  }

  #create(config: ServerConfig, sessionId: string, { instances }: Holder): ManagedInstance {
    this.#makeRoom(config);
    this.#createdCount += 1;
    // Unique, since no key contains a colon.
    const id = `${config.key}:${this.#createdCount}`;
    const initializeParams = () => this.#initializeParamsOf(sessionId);
    const instance = this.#createInstance({ key: config.key, id, sessionId, initializeParams }, this.#events);
    instances.set(config.key, instance);
    if (this.#isDraining) void instance.refuseCalls();
    instance.apply(config);
    return instance;
  }

  /**
   * Ends a sleeping instance to make room, since it has no state to lose; a running one belongs to someone.
   */
  #makeRoom({ key, maxInstances = defaultMaxInstances }: ServerConfig): void {
    if (this.of(key).length < maxInstances) return;
    const sleeper = [...this.#holders.values()].find(({ instances }) => isAsleep(instances.get(key)));
    if (sleeper === undefined) throw tooManyInstances(key, maxInstances);
    this.#end(sleeper.instances, key, (instance) => instance.end());
  }

  /**
   * Returns the current params, or the last known ones: an instance may restart while its client is
   * reconnecting.
   */
  #initializeParamsOf(sessionId: string): InitializeParams | undefined {
    const holder = this.#holders.get(sessionId);
    if (holder !== undefined)
      holder.initializeParams = holder.session.initializeParams() ?? holder.initializeParams;
    return holder?.initializeParams;
  }

  async #release(holder: Holder): Promise<void> {
    if (holder.session.mayReturn !== undefined) await this.#waitForReturn(holder, holder.session.mayReturn);
    const { sessionId } = holder.session;
    if (this.#holders.get(sessionId) !== holder) return;
    this.#holders.delete(sessionId);
    // Nothing to drain: the calls have ended with the session.
    for (const key of holder.instances.keys()) this.#end(holder.instances, key, (instance) => instance.end());
  }

  /** Waits, since a program that is ending still looks alive for a moment. */
  async #waitForReturn({ instances }: Holder, mayReturn: () => Promise<boolean>): Promise<void> {
    if (instances.size === 0) return;
    const { signal } = this.#shutdown;
    await delay(this.#clock, returnTimeoutMs.leaving, signal);
    if (!signal.aborted && (await mayReturn())) await delay(this.#clock, returnTimeoutMs.away, signal);
  }

  #end(
    held: Map<string, ManagedInstance>,
    key: string,
    leave: (instance: ManagedInstance) => Promise<void>,
  ): void {
    const instance = held.get(key);
    if (instance === undefined) return;
    held.delete(key);
    this.#ending.add(instance);
    void leave(instance).finally(() => this.#ending.delete(instance));
  }
}

/** Milliseconds in which a client's program has exited, and in which one that has not has reconnected. */
const returnTimeoutMs = { leaving: 250, away: 10_000 } as const;

const defaultMaxInstances = 32;

function isIsolated({ isolation, enabled, target }: ServerConfig): boolean {
  return isolation === 'per-client' && enabled && target.ok;
}

/** Created on demand, so it starts immediately. */
function instanceConfig(config: ServerConfig): ServerConfig {
  return { ...config, start: 'auto' };
}

function isAsleep(server: SupervisedServer | undefined): boolean {
  return server?.state.status === 'disconnected' && server.state.asleep === true;
}

async function refuse(_server: SupervisedServer, { message: { method } }: { message: { method: string } }) {
  throw new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}

/**
 * Labels an instance's lines in a shared log: its client, and the start of the session id, since a client may
 * have many sessions.
 */
export function instanceLabel({
  sessionId,
  initializeParams,
}: Pick<InstanceIdentity, 'sessionId' | 'initializeParams'>): string {
  const name = initializeParams()?.clientInfo.name;
  const client = typeof name === 'string' && name !== '' ? name.replace(/\s+/g, ' ').slice(0, 40) : 'client';
  return `${client} ${sessionId.slice(0, 4)}`;
}
