import type { Problem } from '../../../shared/error/problem.ts';
import type { ServerUpdate } from '../../../shared/model/server-update.ts';
import { awaitConnection } from './await-connection.ts';
import type { Connection, ServerLog, ServerOrder, ServerState, SupervisedServer } from './contract.ts';
import { draining, stopFailed } from './failure-problem.ts';
import { IdleWatch } from './idle-watch.ts';
import { MainRun } from './main-run.ts';
import type { OwnedServerOptions } from './owned-server-options.ts';
import { type Goal, goalOf, type Need, needAfter, type RunnableOrder, updateOf } from './plan.ts';
import { redactProblem } from './redact.ts';
import type { RunResult } from './run.ts';
import { RunSet } from './run-set.ts';
import { deliver, voiceOf } from './run-voice.ts';
import { ServerFace } from './server-face.ts';
import type { RunOwner, ServerRun } from './server-run.ts';
import { prepareNothing, Updater } from './updater.ts';

/**
 * Sole owner of a server's processes. Requests (config, restart, sleep) only change the desired state; {@link
 * #settle} moves the processes towards it one step at a time, so that the last request wins however fast they
 * come.
 */
export class OwnedServer implements SupervisedServer {
  readonly key: string;
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly #options: OwnedServerOptions;
  readonly #face: ServerFace;
  readonly #runs: RunSet;
  readonly #main: MainRun;
  readonly #updater: Updater;
  readonly #idle: IdleWatch;
  #order: ServerOrder | undefined;
  #need: Need = 'nothing';
  /** Number of callers that wait for a connection. */
  #waiting = 0;
  #restarts = 0;

  constructor(options: OwnedServerOptions) {
    const { key, id = key, sessionId, ports, run, random, introduction, sharedLog } = options;
    const { clock, timing } = ports;
    this.key = key;
    this.id = id;
    this.sessionId = sessionId;
    this.#options = options;
    this.#face = new ServerFace({
      key: id,
      ...(sharedLog === undefined ? {} : { sharedLog }),
      clock,
      logger: ports.logger,
      redact: (text) => this.#runs.hide(text),
      onChange: (previous) => options.onState(this, previous),
    });
    this.#runs = new RunSet({
      key,
      ports,
      run,
      owner: this.#runOwner(),
      ...(introduction === undefined ? {} : { introduction }),
    });
    const isFree = () => this.#runs.isFree;
    const begin = (order: RunnableOrder, again?: boolean) => this.#runs.begin(order, this.log, again);
    this.#main = new MainRun({
      key,
      clock,
      timing,
      random,
      isFree,
      begin,
      goal: () => this.#goal,
      face: this.#face,
      onRetry: () => void this.#restarts++,
    });
    this.#updater = new Updater({
      clock,
      patience: timing.handshake,
      prepare: options.prepare ?? prepareNothing,
      isFree,
      begin,
      hasCalls: () => (this.#main.run?.activeCalls ?? 0) > 0,
      takeOver: (candidate, { commit }) => {
        this.#main.takeOver(candidate.run, commit);
        deliver(candidate, options);
        this.#settle();
      },
      onChange: () => this.#face.tellUpdate(this.update),
    });
    this.#idle = new IdleWatch({
      clock,
      isBusy: () => this.#isBusy(),
      beforeIdle: options.beforeSleep,
      onIdle: () => this.sleep(),
    });
  }

  get state(): ServerState {
    return this.#face.state;
  }

  get log(): ServerLog {
    return this.#face.log;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get activeCalls(): number {
    return this.#runs.activeCalls;
  }

  get update(): ServerUpdate | undefined {
    return this.#updater.view;
  }

  async connection(milliseconds: number): Promise<Connection> {
    if (!this.#runs.refusesCalls) this.#wake();
    this.#idle.used();
    this.#waiting++;
    try {
      return await awaitConnection({
        server: this,
        changed: this.#face.onLook,
        clock: this.#options.ports.clock,
        milliseconds,
        refusal: () => (this.#runs.refusesCalls ? draining(this.key) : undefined),
      });
    } finally {
      this.#waiting--;
    }
  }

  /** Applies a changed config. */
  apply(order: ServerOrder): void {
    const change = { before: this.#order, order, main: this.#main.facts };
    this.#need = needAfter(this.#need, { ...change, mustListFirst: this.#options.mustListFirst });
    this.#order = order;
    this.#settle();
  }

  /** See {@link Supervisor.restart}. */
  restart(): void {
    if (!this.#order?.enabled) return;
    this.#need = 'use';
    this.#updater.cancel();
    this.#main.restart();
    this.#settle();
  }

  /** See {@link Supervisor.fail}. */
  fail(problem: Problem): void {
    const { run } = this.#main;
    if (run?.phase !== 'serving') return;
    run.fail(problem);
    if (!this.#promote()) this.#main.lost(redactProblem(problem, run.redact), 'unhealthy');
    this.#settle();
  }

  /** See {@link Supervisor.sleep}. */
  sleep(): void {
    // A caller that waits for it to start is about to make a call.
    if (this.#waiting > 0) return;
    this.#need = 'nothing';
    this.#settle();
  }

  /** See {@link Supervisor.listed}. */
  listed(): void {
    if (this.activeCalls > 0) this.#wake();
    else if (this.#need === 'its-offer') this.sleep();
  }

  /** See {@link Supervisor.forceUpdate}. */
  forceUpdate(): void {
    if (this.#updater.isPending) this.restart();
  }

  /** See {@link Supervisor.dismissUpdate}. */
  dismissUpdate(): void {
    this.#updater.dismiss(this.#order?.fingerprint);
  }

  /** Stops taking new calls; resolves when the pending ones are answered. */
  refuseCalls(): Promise<void> {
    const quiet = this.#runs.refuseCalls();
    // Notifies callers that wait for a connection.
    this.#face.lookAgain();
    return quiet;
  }

  /** Takes calls again. */
  takeCalls(): void {
    this.#runs.takeCalls();
  }

  /**
   * Ends it once its calls are answered; resolves when all its processes are gone, or when it is wanted
   * again.
   */
  retire(): Promise<void> {
    this.#order = undefined;
    this.#settle();
    return this.#runs.gone(() => this.#order !== undefined);
  }

  /** Ends it immediately; resolves when all its processes are gone. */
  end(): Promise<void> {
    const gone = this.retire();
    this.#runs.endAll();
    return gone;
  }

  /** True if it is not wanted and none of its processes is left. */
  get isGone(): boolean {
    return this.#order === undefined && this.#runs.isEmpty;
  }

  get #goal(): Goal {
    return goalOf(this.#order, this.#need);
  }

  #settle(): void {
    this.#main.settle();
    this.#updater.settle(updateOf(this.#goal, this.#main.facts), this.#order?.fingerprint);
    this.#idle.settle(this.#main.facts.kind === 'serving' ? this.#order?.idleStop : undefined);
  }

  #wake(): void {
    if (this.#need === 'use' || !this.#order?.enabled) return;
    this.#need = 'use';
    this.#settle();
  }

  #isBusy(): boolean {
    if (this.activeCalls > 0 || this.#need === 'its-offer') return true;
    // Ending the active process would lose the old config, which is the only one known to work.
    return this.#updater.isPending || this.#options.isInUse?.() === true;
  }

  #runOwner(): RunOwner {
    return {
      started: (run) => {
        if (run === this.#main.run) this.#main.started();
      },
      connected: (run) => {
        if (run !== this.#main.run) return;
        this.#main.serve();
        this.#settle();
      },
      lost: (run, problem) => {
        if (run !== this.#main.run) return;
        if (!this.#promote()) this.#main.lost(problem, 'lost');
        this.#settle();
      },
      over: (run, result) => this.#over(run, result),
      quiet: (run) => {
        if (run === this.#main.run) this.#idle.used();
        // A call means that it is in use, whatever it was started for.
        if (this.#need === 'its-offer') this.#need = 'use';
        this.#runs.quiet();
      },
      knocked: (run) => {
        if (run === this.#main.run && run.phase === 'draining') this.#wake();
      },
      ...voiceOf(this.#options, () => this.#updater),
    };
  }

  #over(run: ServerRun, result: RunResult): void {
    this.#runs.over(run);
    if (result.left.length > 0) {
      const problem = stopFailed(result.left, this.key);
      this.#face.note('error', problem.sentence, { problem });
    }
    if (run === this.#main.run) this.#mainOver(result);
    if (!this.#runs.isDraining) this.#updater.drained();
    this.#settle();
  }

  #mainOver(result: RunResult): void {
    const { update } = this;
    if (result.left.length > 0 || !this.#promote()) this.#main.ended(result);
    if (update !== undefined && this.update === undefined) this.#face.tellUpdate(undefined);
  }

  /** Lets the candidate take the place of the active process, which is gone. */
  #promote(): boolean {
    const candidate = this.#updater.promote();
    if (candidate === undefined) return false;
    this.#main.succeed(candidate.run);
    deliver(candidate, this.#options);
    return true;
  }
}
