import type { Problem } from '../../../shared/error/problem.ts';
import { type Clock, delay } from '../base/clock.ts';
import { type Disposable, Emitter } from '../base/emitter.ts';
import { RpcError, rpcErrorCodes } from '../rpc/message.ts';
import type { ServerOrder, ServerStateChange, SupervisedServer } from './contract.ts';
import {
  type ClientIntroduction,
  type InstanceHolder,
  type InstanceLateAnswer,
  type InstanceNotification,
  type InstanceRequestHandler,
  type Instances,
  noSession,
} from './instances-contract.ts';
import { sessionOver, tooMany } from './instances-problems.ts';

/** An instance with the operations of its owner. */
export interface OwnedInstance extends SupervisedServer {
  apply(order: ServerOrder): void;
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
  readonly introduction: () => ClientIntroduction | undefined;
}

/** Events of an instance. */
export interface InstanceEvents {
  readonly state: (change: ServerStateChange) => void;
  readonly notification: (notification: InstanceNotification) => void;
  readonly late: (answer: InstanceLateAnswer) => void;
  readonly request: InstanceRequestHandler;
}

export type MakeInstance = (identity: InstanceIdentity, events: InstanceEvents) => OwnedInstance;

interface Holder {
  readonly session: InstanceHolder;
  readonly held: Map<string, OwnedInstance>;
  /** Last known `initialize` params of its client. */
  introduction: ClientIntroduction | undefined;
}

/** Owns the instances of all sessions. */
export class OwnedInstances implements Instances {
  readonly #make: MakeInstance;
  readonly #clock: Clock;
  /** Isolated servers that can run. */
  #orders: ReadonlyMap<string, ServerOrder> = new Map();
  readonly #holders = new Map<string, Holder>();
  /** Instances that are draining or ending. */
  readonly #leaving = new Set<OwnedInstance>();
  readonly #over = new AbortController();
  #isDraining = false;
  readonly #states = new Emitter<ServerStateChange>();
  readonly #notifications = new Emitter<InstanceNotification>();
  readonly #lateAnswers = new Emitter<InstanceLateAnswer>();
  readonly onState = this.#states.event;
  readonly onNotification = this.#notifications.event;
  readonly onLateAnswer = this.#lateAnswers.event;
  readonly #events: InstanceEvents = {
    state: (change) => this.#states.fire(change),
    notification: (notification) => this.#notifications.fire(notification),
    late: (answer) => this.#lateAnswers.fire(answer),
    request: (server, request) => this.#answer(server, request),
  };
  #answer: InstanceRequestHandler = refuse;
  #made = 0;

  constructor(make: MakeInstance, clock: Clock) {
    this.#make = make;
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
    return this.#orders.has(key);
  }

  of(key: string): readonly OwnedInstance[] {
    return [...this.#holders.values()].flatMap(({ held }) => held.get(key) ?? []);
  }

  heldBy(sessionId: string): readonly OwnedInstance[] {
    return [...(this.#holders.get(sessionId)?.held.values() ?? [])];
  }

  /** A session that comes back finds its earlier instances. */
  admit(session: InstanceHolder): Disposable {
    const { sessionId } = session;
    const known = this.#holders.get(sessionId);
    const { held, introduction } = known ?? {
      held: new Map<string, OwnedInstance>(),
      introduction: undefined,
    };
    const holder: Holder = { session, held, introduction };
    this.#holders.set(sessionId, holder);
    return { dispose: () => void this.#release(holder) };
  }

  /**
   * Returns the session's own instance, creating it if necessary; undefined if the server is shared. Throws
   * ProblemError if the session cannot have one.
   */
  serverFor(key: string, sessionId: string): SupervisedServer | undefined {
    const order = this.#orders.get(key);
    if (order === undefined || sessionId === noSession) return undefined;
    const holder = this.#holders.get(sessionId);
    if (holder === undefined) throw sessionOver(key);
    return holder.held.get(key) ?? this.#open(order, sessionId, holder);
  }

  /** Makes the instances match: they follow a changed config like any server, and end with a removed one. */
  apply(orders: readonly ServerOrder[]): void {
    this.#orders = new Map(orders.filter(isIsolated).map((order) => [order.key, instanceOrder(order)]));
    for (const { held } of this.#holders.values()) {
      for (const [key, instance] of held) {
        const order = this.#orders.get(key);
        if (order === undefined) this.#leave(held, key, (each) => each.retire());
        else instance.apply(order);
      }
    }
  }

  /** Sleeping instances start fresh anyway when they are called. */
  restart(key: string): void {
    for (const instance of this.of(key)) if (!isAsleep(instance)) instance.restart();
  }

  /** Returns false if there is no instance with this id. */
  fail(id: string, problem: Problem): boolean {
    const held = [...this.#holders.values()].flatMap((holder) => [...holder.held.values()]);
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
    this.#over.abort();
    this.#holders.clear();
    this.#orders = new Map();
    await Promise.all(all.map((instance) => instance.end()));
  }

  #all(): readonly OwnedInstance[] {
    const held = [...this.#holders.values()].flatMap((holder) => [...holder.held.values()]);
    return [...held, ...this.#leaving];
  }

  #open(order: ServerOrder, sessionId: string, { held }: Holder): OwnedInstance {
    this.#makeRoom(order);
    this.#made += 1;
    // Unique, since no key contains a colon.
    const id = `${order.key}:${this.#made}`;
    const introduction = () => this.#introductionOf(sessionId);
    const instance = this.#make({ key: order.key, id, sessionId, introduction }, this.#events);
    held.set(order.key, instance);
    if (this.#isDraining) void instance.refuseCalls();
    instance.apply(order);
    return instance;
  }

  /**
   * Ends a sleeping instance to make room, since it has no state to lose; a running one belongs to someone.
   */
  #makeRoom({ key, maxInstances = defaultMaxInstances }: ServerOrder): void {
    if (this.of(key).length < maxInstances) return;
    const sleeper = [...this.#holders.values()].find(({ held }) => isAsleep(held.get(key)));
    if (sleeper === undefined) throw tooMany(key, maxInstances);
    this.#leave(sleeper.held, key, (instance) => instance.end());
  }

  /**
   * Returns the current params, or the last known ones: an instance may restart while its client is
   * reconnecting.
   */
  #introductionOf(sessionId: string): ClientIntroduction | undefined {
    const holder = this.#holders.get(sessionId);
    if (holder !== undefined) holder.introduction = holder.session.introduction() ?? holder.introduction;
    return holder?.introduction;
  }

  async #release(holder: Holder): Promise<void> {
    if (holder.session.mayReturn !== undefined) await this.#wait(holder, holder.session.mayReturn);
    const { sessionId } = holder.session;
    if (this.#holders.get(sessionId) !== holder) return;
    this.#holders.delete(sessionId);
    // Nothing to drain: the calls have ended with the session.
    for (const key of holder.held.keys()) this.#leave(holder.held, key, (instance) => instance.end());
  }

  /** Waits, since a program that is ending still looks alive for a moment. */
  async #wait({ held }: Holder, mayReturn: () => Promise<boolean>): Promise<void> {
    if (held.size === 0) return;
    const { signal } = this.#over;
    await delay(this.#clock, patience.leaving, signal);
    if (!signal.aborted && (await mayReturn())) await delay(this.#clock, patience.away, signal);
  }

  #leave(
    held: Map<string, OwnedInstance>,
    key: string,
    leave: (instance: OwnedInstance) => Promise<void>,
  ): void {
    const instance = held.get(key);
    if (instance === undefined) return;
    held.delete(key);
    this.#leaving.add(instance);
    void leave(instance).finally(() => this.#leaving.delete(instance));
  }
}

/** Milliseconds in which a client's program has exited, and in which one that has not has reconnected. */
const patience = { leaving: 250, away: 10_000 } as const;

const defaultMaxInstances = 32;

function isIsolated({ isolation, enabled, target }: ServerOrder): boolean {
  return isolation === 'per-client' && enabled && target.ok;
}

/** Created on demand, so it starts immediately. */
function instanceOrder(order: ServerOrder): ServerOrder {
  return { ...order, start: 'auto' };
}

function isAsleep(server: SupervisedServer | undefined): boolean {
  return server?.state.status === 'disconnected' && server.state.asleep === true;
}

async function refuse(_server: SupervisedServer, { message: { method } }: { message: { method: string } }) {
  throw new RpcError({ code: rpcErrorCodes.methodNotFound, message: `Method not found: ${method}` });
}
