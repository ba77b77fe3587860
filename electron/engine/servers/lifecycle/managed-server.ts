import type { Problem } from '../../../../shared/error/problem.ts';
import type { ServerStatus } from '../../../../shared/model/server/server.ts';
import type { ServerUpdate } from '../../../../shared/model/server/server-update.ts';
import { type Disposable, Emitter } from '../../base/emitter.ts';
import type { JsonRpcId, JsonRpcNotification } from '../../jsonrpc/message.ts';
import type { Connection, PreparedUpdate, ServerLog, ServerState, SupervisedServer } from '../contract.ts';
import { type Redact, redactProblem } from '../log/redact.ts';
import type { ServerConfig } from '../server-config.ts';
import { answerBeforeUse, type Candidate, ConfigUpdate, prepareNothing } from './config-update.ts';
import { draining, stopFailed } from './diagnosis/failure-problems.ts';
import { IdleWatch } from './idle-watch.ts';
import type { ManagedServerOptions } from './managed-server-options.ts';
import {
  type ActiveFacts,
  type Demand,
  type DesiredState,
  demandAfter,
  desiredStateOf,
  nextTransition,
  type RunnableConfig,
  updateOf,
} from './plan.ts';
import { type FailureHistory, type NextStep, nextStep, noFailures, policyOf } from './restart-policy.ts';
import type { RunResult } from './run.ts';
import { type ProcessOwner, ServerProcess } from './server-process.ts';
import { connectedState, idleState, lostState, pendingState } from './server-states.ts';
import { ShownState } from './shown-state.ts';

/** Phase of the active process. A start happens only from `down`, so there are never two. */
type Active =
  | { readonly kind: 'down' }
  /** Stopped for a reason that only another config or the user can change. */
  | { readonly kind: 'resting'; readonly fingerprint: string; readonly options: string | undefined }
  | {
      readonly kind: 'waiting';
      readonly fingerprint: string;
      readonly options: string | undefined;
      readonly timer: Disposable;
    }
  | { readonly kind: 'running'; readonly process: ServerProcess; readonly history: FailureHistory };

/**
 * Sole owner of a server's processes. Requests (config, restart, sleep) only change the desired state; {@link
 * #settle} moves the processes towards it one step at a time, so that the last request wins however fast they
 * come. Long, since all methods are transitions of one state machine.
 */
export class ManagedServer implements SupervisedServer {
  readonly key: string;
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly #options: ManagedServerOptions;
  readonly #shown: ShownState;
  /** The active process, a candidate for its place, and those finishing old calls. */
  readonly #processes = new Set<ServerProcess>();
  readonly #update: ConfigUpdate;
  readonly #idle: IdleWatch;
  /** Fires when the calls of a process, or the process itself, have ended. */
  readonly #callsEnded = new Emitter<void>();
  #active: Active = { kind: 'down' };
  #config: ServerConfig | undefined;
  #demand: Demand = 'nothing';
  #refusesCalls = false;
  #restarts = 0;
  /** Knows the secrets of the latest process, for text that is logged after its end. */
  #redactLatest: Redact = (text) => text;

  constructor(options: ManagedServerOptions) {
    const { key, id = key, sessionId, ports, hooks, sharedLog } = options;
    const { clock, logger, timing } = ports;
    const { prepare, beforeSleep } = hooks;
    this.key = key;
    this.id = id;
    this.sessionId = sessionId;
    this.#options = options;
    const redact = (text: string) => this.#redactAll(text);
    this.#shown = new ShownState({ key, id, clock, logger, redact, sharedLog });
    this.#update = new ConfigUpdate({
      clock,
      timeoutMs: timing.handshake,
      prepare: (connection) => (prepare === undefined ? prepareNothing() : prepare(key, connection)),
      startProcess: (config) => this.#startProcess(config),
      hasCalls: () => (this.#process?.activeCalls ?? 0) > 0,
      takeOver: (candidate, prepared) => this.#takeOver(candidate, prepared),
      onChange: () => this.#reportUpdate(),
    });
    this.#idle = new IdleWatch({
      clock,
      isBusy: () => this.#isBusy(),
      beforeIdle: beforeSleep && (() => beforeSleep(key)),
      onIdle: () => this.sleep(),
    });
  }

  get state(): ServerState {
    return this.#shown.state;
  }

  get log(): ServerLog {
    return this.#shown.log;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get activeCalls(): number {
    let calls = 0;
    for (const process of this.#processes) calls += process.activeCalls;
    return calls;
  }

  get update(): ServerUpdate | undefined {
    return this.#update.view;
  }

  connection(milliseconds: number): Promise<Connection> {
    if (!this.#refusesCalls) this.#wake();
    this.#idle.markUsed();
    return this.#shown.connection(milliseconds, () => (this.#refusesCalls ? draining(this.key) : undefined));
  }

  /** Applies a changed config. */
  apply(config: ServerConfig): void {
    const mustListFirst = this.#options.hooks.mustListFirst;
    this.#demand = demandAfter(this.#demand, {
      before: this.#config,
      after: config,
      active: this.#facts,
      mustListFirst: mustListFirst && (() => mustListFirst(this.key)),
    });
    this.#config = config;
    this.#settle();
  }

  /** See {@link Supervisor.restart}. */
  restart(): void {
    if (!this.#config?.enabled) return;
    this.#demand = 'use';
    this.#update.cancel();
    if (this.#process === undefined) this.#leavePause();
    else {
      this.#process.end();
      this.#show({ status: 'connecting', since: this.#now() });
    }
    this.#settle();
  }

  /** See {@link Supervisor.fail}. */
  fail(problem: Problem): void {
    const process = this.#process;
    if (process?.phase !== 'serving') return;
    process.fail(problem);
    if (!this.#promote()) this.#showLost(redactProblem(problem, process.redact), 'unhealthy');
    this.#settle();
  }

  /** See {@link Supervisor.sleep}. */
  sleep(): void {
    // A caller that waits for it to start is about to make a call.
    if (this.#shown.isAwaited) return;
    this.#demand = 'nothing';
    this.#settle();
  }

  /** See {@link Supervisor.markListed}. */
  markListed(): void {
    if (this.activeCalls > 0) this.#wake();
    else if (this.#demand === 'its-offer') this.sleep();
  }

  /** See {@link Supervisor.forceUpdate}. */
  forceUpdate(): void {
    if (this.#update.isPending) this.restart();
  }

  /** See {@link Supervisor.dismissUpdate}. */
  dismissUpdate(): void {
    this.#update.dismiss(this.#config?.fingerprint);
  }

  /** Stops taking new calls; resolves when the pending ones are answered. */
  refuseCalls(): Promise<void> {
    this.#refusesCalls = true;
    for (const process of this.#processes) process.refuseCalls();
    const idle = this.#whenIdle();
    // Notifies callers that wait for a connection.
    this.#shown.recheck();
    return idle;
  }

  /** Takes calls again. */
  takeCalls(): void {
    this.#refusesCalls = false;
    for (const process of this.#processes) process.takeCalls();
  }

  /**
   * Ends it once its calls are answered; resolves when all its processes are gone, or when it is wanted
   * again.
   */
  async retire(): Promise<void> {
    this.#config = undefined;
    this.#settle();
    while (this.#config === undefined && this.#processes.size > 0)
      await Promise.all([...this.#processes].map(({ exited }) => exited));
  }

  /** Ends it immediately; resolves when all its processes are gone. */
  end(): Promise<void> {
    const gone = this.retire();
    for (const process of this.#processes) process.end();
    return gone;
  }

  /** True if it is not wanted and none of its processes is left. */
  get isGone(): boolean {
    return this.#config === undefined && this.#processes.size === 0;
  }

  get #desiredState(): DesiredState {
    return desiredStateOf(this.#config, this.#demand);
  }

  /** Active process. */
  get #process(): ServerProcess | undefined {
    return this.#active.kind === 'running' ? this.#active.process : undefined;
  }

  get #facts(): ActiveFacts {
    if (this.#active.kind !== 'running') return this.#active;
    const { phase, config } = this.#active.process;
    return { kind: phase === 'over' ? 'ending' : phase, fingerprint: config.fingerprint };
  }

  #settle(): void {
    this.#step();
    this.#update.step(updateOf(this.#desiredState, this.#facts), this.#config?.fingerprint);
    this.#idle.setLimit(this.#facts.kind === 'serving' ? this.#config?.idleStop : undefined);
  }

  /** Takes one step towards the desired state. */
  #step(): void {
    const desiredState = this.#desiredState;
    switch (nextTransition(desiredState, this.#facts)) {
      case 'start':
        if (desiredState.kind === 'run') this.#start(desiredState.config, noFailures);
        break;
      case 'forget':
        this.#leavePause();
        this.#step();
        return;
      case 'end':
        this.#process?.end();
        break;
      case 'drain':
        this.#process?.drain();
        break;
      case 'resume':
        this.#process?.resume();
        this.#showConnected();
        break;
      case 'stay':
        break;
    }
    this.#showIdle();
  }

  #start(config: RunnableConfig, history: FailureHistory): void {
    const process = this.#startProcess(config, history.streak > 0);
    if (process === undefined) return;
    this.#active = { kind: 'running', process, history };
    this.#show({ status: 'connecting', since: this.#now() });
  }

  /**
   * Returns undefined while a process is ending: a server may need resources that it still holds, so the next
   * step starts it instead. For the second parameter, see {@link RunOptions.isRetry}.
   */
  #startProcess(config: RunnableConfig, isRetry = false): ServerProcess | undefined {
    if ([...this.#processes].some(({ phase }) => phase === 'ending')) return undefined;
    const { key, ports, initializeParams } = this.#options;
    const process = new ServerProcess({
      key,
      config,
      ports,
      log: this.log,
      owner: this.#owner,
      isRetry,
      initializeParams,
    });
    this.#processes.add(process);
    this.#redactLatest = process.redact;
    if (this.#refusesCalls) process.refuseCalls();
    return process;
  }

  /** Leaves a resting or waiting phase. */
  #leavePause(): void {
    if (this.#active.kind === 'waiting') this.#active.timer.dispose();
    this.#active = { kind: 'down' };
  }

  #wake(): void {
    if (this.#demand === 'use' || !this.#config?.enabled) return;
    this.#demand = 'use';
    this.#settle();
  }

  #isBusy(): boolean {
    if (this.activeCalls > 0 || this.#demand === 'its-offer') return true;
    // Ending the active process would lose the old config, which is the only one known to work.
    return this.#update.isPending || this.#options.hooks.hasOpenWork?.(this.id) === true;
  }

  #whenIdle(): Promise<void> {
    if (this.activeCalls === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const subscription = this.#callsEnded.event(() => {
        if (this.activeCalls > 0) return;
        subscription.dispose();
        resolve();
      });
    });
  }

  readonly #owner: ProcessOwner = {
    onStarted: (process) => {
      if (process === this.#process) this.#showStarted(process);
    },
    onConnected: (process) => {
      if (process !== this.#process) return;
      this.#showConnected();
      this.#settle();
    },
    onDisconnected: (process, problem) => {
      if (process !== this.#process) return;
      if (!this.#promote()) this.#showLost(problem, 'lost');
      this.#settle();
    },
    onExited: (process, result) => this.#onExited(process, result),
    onIdle: (process) => {
      if (process === this.#process) this.#idle.markUsed();
      // A call means that it is in use, whatever it was started for.
      if (this.#demand === 'its-offer') this.#demand = 'use';
      // Happens after almost every call, when nobody waits.
      if (this.#callsEnded.hasListeners) this.#callsEnded.fire();
    },
    onCallWhileDraining: (process) => {
      if (process === this.#process && process.phase === 'draining') this.#wake();
    },
    onNotification: (process, notification, relatedTo) => {
      if (this.#update.storeNotification(process, notification, relatedTo)) return;
      this.#notify(process, notification, relatedTo);
    },
    onLateAnswer: (process, id) => this.#options.events.lateAnswer({ id, ...origin(process) }),
    onRequest: (process, request) =>
      this.#update.isCandidate(process)
        ? answerBeforeUse(request, (allowed) => this.#options.events.request(this, allowed))
        : this.#options.events.request(this, request),
  };

  #onExited(process: ServerProcess, result: RunResult): void {
    this.#processes.delete(process);
    this.#callsEnded.fire();
    if (result.left.length > 0) this.#shown.writeProblem(stopFailed(result.left, this.key));
    if (this.#active.kind === 'running' && this.#active.process === process)
      this.#onActiveExited(result, this.#active);
    if (![...this.#processes].some(({ phase }) => phase === 'draining')) this.#update.markDrained();
    this.#settle();
  }

  #onActiveExited(result: RunResult, active: Extract<Active, { kind: 'running' }>): void {
    const { update } = this;
    if (result.left.length > 0 || !this.#promote()) this.#applyRestartPolicy(result, active);
    if (update !== undefined && this.update === undefined) this.#reportUpdate();
  }

  /** Does nothing if the desired state has changed. */
  #applyRestartPolicy(
    { ending, left }: RunResult,
    { process, history }: Extract<Active, { kind: 'running' }>,
  ): void {
    this.#active = { kind: 'down' };
    const desiredState = this.#desiredState;
    if (left.length > 0) {
      this.#rest({ kind: 'error', problem: stopFailed(left, this.key) });
      return;
    }
    if (desiredState.kind !== 'run') return;
    const { config } = desiredState;
    if (config.fingerprint !== process.config.fingerprint) return;
    const { ports, random } = this.#options;
    const next = nextStep(ending, history, policyOf(config, ports.timing), random);
    if (next.kind === 'retry') this.#scheduleRetry(next, config);
    else if (next.kind !== 'rest') this.#rest(next);
  }

  #rest({ kind: status, problem }: Extract<NextStep, { kind: 'error' | 'needs-auth' }>): void {
    const desiredState = this.#desiredState;
    const since = this.#now();
    if (desiredState.kind === 'run') {
      const { fingerprint, options } = desiredState.config;
      this.#active = { kind: 'resting', fingerprint, options };
    }
    this.#show(idleState(desiredState, since) ?? { status, since, problem });
  }

  #scheduleRetry(
    { status, delay, problem, history }: Extract<NextStep, { kind: 'retry' }>,
    { fingerprint, options }: RunnableConfig,
  ): void {
    const timer = this.#options.ports.clock.after(delay, () => this.#retry(history));
    this.#active = { kind: 'waiting', fingerprint, options, timer };
    const since = this.#now();
    this.#show({ status, since, nextTryAt: since + delay, problem });
  }

  #retry(history: FailureHistory): void {
    const desiredState = this.#desiredState;
    this.#active = { kind: 'down' };
    if (desiredState.kind !== 'run') return;
    this.#restarts++;
    this.#start(desiredState.config, history);
  }

  /** Lets the candidate take the place of the active process, which is gone, however far it has come. */
  #promote(): boolean {
    const candidate = this.#update.promote();
    if (candidate === undefined) return false;
    this.#active = { kind: 'running', process: candidate.process, history: noFailures };
    this.#showStarted(candidate.process);
    this.#showConnected();
    this.#deliverStored(candidate);
    return true;
  }

  /**
   * Makes a candidate the active process, and drains the previous one. Happens in one turn: listeners of the
   * commit see the new connection, and nobody the old one.
   */
  #takeOver(candidate: Candidate, { commit }: PreparedUpdate): void {
    this.#process?.drain();
    this.#active = { kind: 'running', process: candidate.process, history: noFailures };
    this.#showConnected(commit);
    this.#deliverStored(candidate);
    this.#settle();
  }

  /** Delivers the notifications of a candidate that were stored before it was in use. */
  #deliverStored({ process, notifications }: Candidate): void {
    for (const { notification, relatedTo } of notifications) this.#notify(process, notification, relatedTo);
  }

  #notify(process: ServerProcess, notification: JsonRpcNotification, relatedTo: JsonRpcId | undefined): void {
    this.#options.events.notification({
      server: this,
      notification,
      ...origin(process),
      ...(relatedTo === undefined ? {} : { relatedTo }),
    });
  }

  #showStarted({ facts }: ServerProcess): void {
    this.#show({ status: 'connecting', since: this.#now(), ...facts });
  }

  /** Shows the active process as connected, if it is. */
  #showConnected(commit?: () => void): void {
    const state = this.#process && connectedState(this.#process, this.#now());
    if (state !== undefined) this.#show(state, commit);
  }

  /** Shows a lost or failing connection, while its processes are still ending. */
  #showLost(problem: Problem, cause: 'lost' | 'unhealthy'): void {
    const desiredState = this.#desiredState;
    if (desiredState.kind === 'run') this.#show(lostState(desiredState.config, problem, cause, this.#now()));
  }

  #showIdle(): void {
    const { kind } = this.#facts;
    if (kind !== 'down' && kind !== 'draining' && kind !== 'ending') return;
    const since = this.#now();
    const state = idleState(this.#desiredState, since) ?? pendingState(this.state, since);
    if (state !== undefined) this.#show(state);
  }

  /** Calls `commit` once the state is set, but before anyone is notified. */
  #show(state: ServerState, commit: () => void = () => {}): void {
    this.#shown.set(state, commit, ({ status }) => this.#notifyState(status));
  }

  #reportUpdate(): void {
    if (this.update !== undefined) this.#shown.writeUpdate(this.update);
    this.#notifyState(this.state.status);
  }

  #notifyState(previous: ServerStatus): void {
    this.#options.events.state({ server: this, previous });
  }

  /** Masks the secrets of all processes. */
  #redactAll(text: string): string {
    if (this.#processes.size === 0) return this.#redactLatest(text);
    let result = text;
    for (const { redact } of this.#processes) result = redact(result);
    return result;
  }

  #now(): number {
    return this.#options.ports.clock.now();
  }
}

function origin({ connection }: ServerProcess) {
  return connection === undefined ? {} : { connection };
}
