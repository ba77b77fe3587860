import type { Problem } from '../../../../shared/error/problem.ts';
import type { ServerUpdate } from '../../../../shared/model/server/server-update.ts';
import type { Connection, ServerLog, ServerState, SupervisedServer } from '../contract.ts';
import { redactProblem } from '../log/redact.ts';
import type { ServerConfig } from '../server-config.ts';
import { ActiveProcess } from './active-process.ts';
import { awaitConnection } from './await-connection.ts';
import { ConfigUpdate, prepareNothing } from './config-update.ts';
import { draining, stopFailed } from './diagnosis/failure-problems.ts';
import { IdleWatch } from './idle-watch.ts';
import type { ManagedServerOptions } from './managed-server-options.ts';
import { deliverNotifications, routeMessages } from './message-routing.ts';
import {
  type Demand,
  type DesiredState,
  demandAfter,
  desiredStateOf,
  type RunnableConfig,
  updateOf,
} from './plan.ts';
import type { RunResult } from './run.ts';
import type { ProcessOwner, ServerProcess } from './server-process.ts';
import { ServerProcesses } from './server-processes.ts';
import { StatusReporter } from './status-reporter.ts';

/**
 * Sole owner of a server's processes. Requests (config, restart, sleep) only change the desired state; {@link
 * #settle} moves the processes towards it one step at a time, so that the last request wins however fast they
 * come.
 */
export class ManagedServer implements SupervisedServer {
  readonly key: string;
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly #options: ManagedServerOptions;
  readonly #reporter: StatusReporter;
  readonly #processes: ServerProcesses;
  readonly #active: ActiveProcess;
  readonly #update: ConfigUpdate;
  readonly #idle: IdleWatch;
  #config: ServerConfig | undefined;
  #demand: Demand = 'nothing';
  /** Number of callers that wait for a connection. */
  #waitingCount = 0;
  #restarts = 0;

  constructor(options: ManagedServerOptions) {
    const { key, id = key, sessionId, ports, run, random, initializeParams, sharedLog } = options;
    const { clock, timing } = ports;
    this.key = key;
    this.id = id;
    this.sessionId = sessionId;
    this.#options = options;
    this.#reporter = new StatusReporter({
      key: id,
      ...(sharedLog === undefined ? {} : { sharedLog }),
      clock,
      logger: ports.logger,
      redact: (text) => this.#processes.redactAll(text),
      onChange: (previous) => options.onState(this, previous),
    });
    this.#processes = new ServerProcesses({
      key,
      ports,
      run,
      owner: this.#processOwner(),
      ...(initializeParams === undefined ? {} : { initializeParams }),
    });
    const isFree = () => this.#processes.isFree;
    const startProcess = (config: RunnableConfig, isRetry?: boolean) =>
      this.#processes.start(config, this.log, isRetry);
    this.#active = new ActiveProcess({
      key,
      clock,
      timing,
      random,
      isFree,
      startProcess,
      desiredState: () => this.#desiredState,
      reporter: this.#reporter,
      onRetry: () => void this.#restarts++,
    });
    this.#update = new ConfigUpdate({
      clock,
      timeoutMs: timing.handshake,
      prepare: options.prepare ?? prepareNothing,
      isFree,
      startProcess,
      hasCalls: () => (this.#active.process?.activeCalls ?? 0) > 0,
      takeOver: (candidate, { commit }) => {
        this.#active.takeOver(candidate.process, commit);
        deliverNotifications(candidate, options);
        this.#settle();
      },
      onChange: () => this.#reporter.reportUpdate(this.update),
    });
    this.#idle = new IdleWatch({
      clock,
      isBusy: () => this.#isBusy(),
      beforeIdle: options.beforeSleep,
      onIdle: () => this.sleep(),
    });
  }

  get state(): ServerState {
    return this.#reporter.state;
  }

  get log(): ServerLog {
    return this.#reporter.log;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get activeCalls(): number {
    return this.#processes.activeCalls;
  }

  get update(): ServerUpdate | undefined {
    return this.#update.view;
  }

  async connection(milliseconds: number): Promise<Connection> {
    if (!this.#processes.refusesCalls) this.#wake();
    this.#idle.markUsed();
    this.#waitingCount++;
    try {
      return await awaitConnection({
        server: this,
        changed: this.#reporter.onRecheck,
        clock: this.#options.ports.clock,
        milliseconds,
        refusal: () => (this.#processes.refusesCalls ? draining(this.key) : undefined),
      });
    } finally {
      this.#waitingCount--;
    }
  }

  /** Applies a changed config. */
  apply(config: ServerConfig): void {
    const change = { before: this.#config, order: config, active: this.#active.facts };
    this.#demand = demandAfter(this.#demand, { ...change, mustListFirst: this.#options.mustListFirst });
    this.#config = config;
    this.#settle();
  }

  /** See {@link Supervisor.restart}. */
  restart(): void {
    if (!this.#config?.enabled) return;
    this.#demand = 'use';
    this.#update.cancel();
    this.#active.restart();
    this.#settle();
  }

  /** See {@link Supervisor.fail}. */
  fail(problem: Problem): void {
    const { process: run } = this.#active;
    if (run?.phase !== 'serving') return;
    run.fail(problem);
    if (!this.#promote()) this.#active.showDisconnected(redactProblem(problem, run.redact), 'unhealthy');
    this.#settle();
  }

  /** See {@link Supervisor.sleep}. */
  sleep(): void {
    // A caller that waits for it to start is about to make a call.
    if (this.#waitingCount > 0) return;
    this.#demand = 'nothing';
    this.#settle();
  }

  /** See {@link Supervisor.listed}. */
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
    const quiet = this.#processes.refuseCalls();
    // Notifies callers that wait for a connection.
    this.#reporter.recheck();
    return quiet;
  }

  /** Takes calls again. */
  takeCalls(): void {
    this.#processes.takeCalls();
  }

  /**
   * Ends it once its calls are answered; resolves when all its processes are gone, or when it is wanted
   * again.
   */
  retire(): Promise<void> {
    this.#config = undefined;
    this.#settle();
    return this.#processes.whenGone(() => this.#config !== undefined);
  }

  /** Ends it immediately; resolves when all its processes are gone. */
  end(): Promise<void> {
    const gone = this.retire();
    this.#processes.endAll();
    return gone;
  }

  /** True if it is not wanted and none of its processes is left. */
  get isGone(): boolean {
    return this.#config === undefined && this.#processes.isEmpty;
  }

  get #desiredState(): DesiredState {
    return desiredStateOf(this.#config, this.#demand);
  }

  #settle(): void {
    this.#active.step();
    this.#update.step(updateOf(this.#desiredState, this.#active.facts), this.#config?.fingerprint);
    this.#idle.setLimit(this.#active.facts.kind === 'serving' ? this.#config?.idleStop : undefined);
  }

  #wake(): void {
    if (this.#demand === 'use' || !this.#config?.enabled) return;
    this.#demand = 'use';
    this.#settle();
  }

  #isBusy(): boolean {
    if (this.activeCalls > 0 || this.#demand === 'its-offer') return true;
    // Ending the active process would lose the old config, which is the only one known to work.
    return this.#update.isPending || this.#options.hasOpenWork?.() === true;
  }

  #processOwner(): ProcessOwner {
    return {
      onStarted: (run) => {
        if (run === this.#active.process) this.#active.showStarted();
      },
      onConnected: (run) => {
        if (run !== this.#active.process) return;
        this.#active.showConnected();
        this.#settle();
      },
      onDisconnected: (run, problem) => {
        if (run !== this.#active.process) return;
        if (!this.#promote()) this.#active.showDisconnected(problem, 'lost');
        this.#settle();
      },
      onExited: (run, result) => this.#onExited(run, result),
      onIdle: (run) => {
        if (run === this.#active.process) this.#idle.markUsed();
        // A call means that it is in use, whatever it was started for.
        if (this.#demand === 'its-offer') this.#demand = 'use';
        this.#processes.idle();
      },
      onCallWhileDraining: (run) => {
        if (run === this.#active.process && run.phase === 'draining') this.#wake();
      },
      ...routeMessages(this.#options, () => this.#update),
    };
  }

  #onExited(run: ServerProcess, result: RunResult): void {
    this.#processes.exited(run);
    if (result.left.length > 0) {
      const problem = stopFailed(result.left, this.key);
      this.#reporter.write('error', problem.sentence, { problem });
    }
    if (run === this.#active.process) this.#onActiveExited(result);
    if (!this.#processes.isDraining) this.#update.markDrained();
    this.#settle();
  }

  #onActiveExited(result: RunResult): void {
    const { update } = this;
    if (result.left.length > 0 || !this.#promote()) this.#active.onExited(result);
    if (update !== undefined && this.update === undefined) this.#reporter.reportUpdate(undefined);
  }

  /** Lets the candidate take the place of the active process, which is gone. */
  #promote(): boolean {
    const candidate = this.#update.promote();
    if (candidate === undefined) return false;
    this.#active.promote(candidate.process);
    deliverNotifications(candidate, this.#options);
    return true;
  }
}
