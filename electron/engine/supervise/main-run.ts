import type { Problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { ServerState } from './contract.ts';
import { stopFailed, withRestartHint } from './failure-problem.ts';
import { type ActiveFacts, type DesiredState, nextTransition, type RunnableConfig } from './plan.ts';
import { type FailureHistory, nextStep, noFailures } from './restart-policy.ts';
import type { RunEnding, RunResult } from './run.ts';
import type { StatusReporter } from './server-face.ts';
import type { ServerProcess } from './server-run.ts';
import { connectedState, idleState, pendingState } from './server-states.ts';
import type { SupervisorTiming } from './supervisor-options.ts';

export interface ActiveProcessOptions {
  readonly key: string;
  readonly clock: Clock;
  readonly timing: SupervisorTiming;
  /** Yields 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly isFree: () => boolean;
  /** For the second parameter, see {@link RunOptions.again}. */
  readonly startProcess: (config: RunnableConfig, isRetry: boolean) => ServerProcess;
  readonly desiredState: () => DesiredState;
  readonly reporter: StatusReporter;
  /** Called before an automatic restart. */
  readonly onRetry: () => void;
}

/** Phase of the active process. A start happens only from `down`, so there are never two. */
type Phase =
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
 * The process that serves, or is going to: started, ended and retried according to the desired state and how
 * it ended.
 */
export class ActiveProcess {
  readonly #options: ActiveProcessOptions;
  #phase: Phase = { kind: 'down' };

  constructor(options: ActiveProcessOptions) {
    this.#options = options;
  }

  get process(): ServerProcess | undefined {
    return this.#phase.kind === 'running' ? this.#phase.process : undefined;
  }

  get facts(): ActiveFacts {
    const phase = this.#phase;
    if (phase.kind !== 'running') return phase;
    const { process } = phase;
    return {
      kind: process.phase === 'over' ? 'ending' : process.phase,
      fingerprint: process.config.fingerprint,
    };
  }

  /** Takes one step towards the desired state. */
  step(): void {
    const desiredState = this.#options.desiredState();
    switch (nextTransition(desiredState, this.facts)) {
      case 'start':
        if (desiredState.kind === 'run') this.#start(desiredState.config, noFailures);
        break;
      case 'forget':
        this.#reset();
        this.step();
        return;
      case 'end':
        this.process?.end();
        break;
      case 'drain':
        this.process?.drain();
        break;
      case 'resume':
        this.process?.resume();
        this.showConnected();
        break;
      case 'stay':
        break;
    }
    this.#showIdle();
  }

  /** Ends what runs, or leaves a resting or waiting phase, so that the next step starts it. */
  restart(): void {
    if (this.process === undefined) {
      this.#reset();
      return;
    }
    this.process.end();
    this.#show({ status: 'connecting', since: this.#now() });
  }

  /** Shows the process as connected, if it is. */
  showConnected(): void {
    const state = this.process && connectedState(this.process, this.#now());
    if (state !== undefined) this.#show(state);
  }

  /** Shows that the process has started. */
  showStarted(): void {
    if (this.process !== undefined)
      this.#show({ status: 'connecting', since: this.#now(), ...this.process.facts });
  }

  /** Makes a candidate the active process when there is none, however far it has come. */
  promote(process: ServerProcess): void {
    this.#phase = { kind: 'running', process, history: noFailures };
    this.showStarted();
    this.showConnected();
  }

  /**
   * Makes a candidate the active process, and drains the previous one. Happens in one turn: listeners of the
   * commit see the new connection, and nobody the old one.
   */
  takeOver(process: ServerProcess, commit: () => void): void {
    this.process?.drain();
    this.#phase = { kind: 'running', process, history: noFailures };
    const state = connectedState(process, this.#now());
    if (state !== undefined) this.#options.reporter.show(state, commit);
  }

  /** Shows a lost or failing connection, while its processes are still ending. */
  showDisconnected(problem: Problem, cause: 'lost' | 'unhealthy'): void {
    const desiredState = this.#options.desiredState();
    const { reporter } = this.#options;
    const since = this.#now();
    if (desiredState.kind !== 'run') return;
    // A server that will not be restarted is an error right away; any other waits for the restart policy.
    if (desiredState.config.restart === 'never')
      reporter.show({ status: 'error', since, problem: withRestartHint(problem, desiredState.config) });
    else if (cause === 'lost') reporter.show({ status: 'disconnected', since, problem });
    else reporter.show({ status: 'error', since, problem, nextTryAt: since });
  }

  /** Applies the restart policy after the process has ended, unless the desired state has changed. */
  onExited({ ending, left }: RunResult): void {
    const phase = this.#phase;
    if (phase.kind !== 'running') return;
    this.#phase = { kind: 'down' };
    const desiredState = this.#options.desiredState();
    if (left.length > 0) this.#stop('error', stopFailed(left, this.#options.key));
    else if (
      desiredState.kind === 'run' &&
      desiredState.config.fingerprint === phase.process.config.fingerprint
    ) {
      this.#applyPolicy(ending, desiredState.config, phase.history);
    }
  }

  #start(config: RunnableConfig, history: FailureHistory): void {
    // Starts with the next step instead, after the other process has ended.
    if (!this.#options.isFree()) return;
    const process = this.#options.startProcess(config, history.streak > 0);
    this.#phase = { kind: 'running', process, history };
    this.#show({ status: 'connecting', since: this.#now() });
  }

  #reset(): void {
    if (this.#phase.kind === 'waiting') this.#phase.timer.dispose();
    this.#phase = { kind: 'down' };
  }

  #showIdle(): void {
    const { kind } = this.facts;
    if (kind !== 'down' && kind !== 'draining' && kind !== 'ending') return;
    const { desiredState, reporter } = this.#options;
    const state = idleState(desiredState(), this.#now()) ?? pendingState(reporter.state, this.#now());
    if (state !== undefined) reporter.show(state);
  }

  #applyPolicy(ending: RunEnding, { restart, revival }: RunnableConfig, history: FailureHistory): void {
    const { timing, random } = this.#options;
    const { stable, slowProbe, backoffInitial: initial, backoffMax: max } = timing;
    const policy = { restart, revival, stable, slowProbe, backoff: { initial, max, factor: 2, jitter: 0.2 } };
    const next = nextStep(ending, history, policy, random);
    if (next.kind === 'retry') this.#scheduleRetry(next);
    else if (next.kind !== 'rest') this.#stop(next.kind, next.problem);
  }

  #stop(status: 'error' | 'needs-auth', problem: Problem): void {
    const desiredState = this.#options.desiredState();
    const since = this.#now();
    if (desiredState.kind === 'run') {
      const { fingerprint, options } = desiredState.config;
      this.#phase = { kind: 'resting', fingerprint, options };
    }
    this.#show(idleState(desiredState, since) ?? { status, since, problem });
  }

  #scheduleRetry({
    status,
    delay,
    problem,
    history,
  }: Extract<ReturnType<typeof nextStep>, { kind: 'retry' }>): void {
    const desiredState = this.#options.desiredState();
    if (desiredState.kind !== 'run') return;
    const timer = this.#options.clock.after(delay, () => this.#retry(history));
    const { fingerprint, options } = desiredState.config;
    this.#phase = { kind: 'waiting', fingerprint, options, timer };
    const since = this.#now();
    this.#show({ status, since, nextTryAt: since + delay, problem });
  }

  #retry(history: FailureHistory): void {
    const desiredState = this.#options.desiredState();
    this.#phase = { kind: 'down' };
    if (desiredState.kind !== 'run') return;
    this.#options.onRetry();
    this.#start(desiredState.config, history);
  }

  #show(state: ServerState): void {
    this.#options.reporter.show(state);
  }

  #now(): number {
    return this.#options.clock.now();
  }
}
