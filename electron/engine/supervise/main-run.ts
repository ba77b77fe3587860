import type { Problem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import type { ServerState } from './contract.ts';
import { notAgain, stopFailed } from './failure-problem.ts';
import { type Goal, type MainFacts, nextMove, type RunnableOrder } from './plan.ts';
import { type FailureHistory, nextStep, noFailures } from './restart-policy.ts';
import type { RunEnding, RunResult } from './run.ts';
import type { ServerFace } from './server-face.ts';
import type { ServerRun } from './server-run.ts';
import { connectedState, idleState, pendingState } from './server-states.ts';
import type { SupervisorTiming } from './supervisor-options.ts';

export interface MainRunOptions {
  readonly key: string;
  readonly clock: Clock;
  readonly timing: SupervisorTiming;
  /** Yields 0 to 1, for the jitter. */
  readonly random: () => number;
  readonly isFree: () => boolean;
  /** For the second parameter, see {@link RunOptions.again}. */
  readonly begin: (order: RunnableOrder, again: boolean) => ServerRun;
  readonly goal: () => Goal;
  readonly face: ServerFace;
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
  | { readonly kind: 'running'; readonly run: ServerRun; readonly history: FailureHistory };

/**
 * The process that serves, or is going to: started, ended and retried according to the desired state and how
 * it ended.
 */
export class MainRun {
  readonly #options: MainRunOptions;
  #phase: Phase = { kind: 'down' };

  constructor(options: MainRunOptions) {
    this.#options = options;
  }

  get run(): ServerRun | undefined {
    return this.#phase.kind === 'running' ? this.#phase.run : undefined;
  }

  get facts(): MainFacts {
    const phase = this.#phase;
    if (phase.kind !== 'running') return phase;
    const { run } = phase;
    return { kind: run.phase === 'over' ? 'ending' : run.phase, fingerprint: run.order.fingerprint };
  }

  /** Takes one step towards the desired state. */
  settle(): void {
    const goal = this.#options.goal();
    switch (nextMove(goal, this.facts)) {
      case 'start':
        if (goal.kind === 'run') this.#start(goal.order, noFailures);
        break;
      case 'forget':
        this.#forget();
        this.settle();
        return;
      case 'end':
        this.run?.end();
        break;
      case 'drain':
        this.run?.drain();
        break;
      case 'resume':
        this.run?.resume();
        this.serve();
        break;
      case 'stay':
        break;
    }
    this.#showIdle();
  }

  /** Ends what runs, or leaves a resting or waiting phase, so that the next step starts it. */
  restart(): void {
    if (this.run === undefined) {
      this.#forget();
      return;
    }
    this.run.end();
    this.#show({ status: 'connecting', since: this.#now() });
  }

  /** Shows the process as connected, if it is. */
  serve(): void {
    const state = this.run && connectedState(this.run, this.#now());
    if (state !== undefined) this.#show(state);
  }

  /** Shows that the process has started. */
  started(): void {
    if (this.run !== undefined) this.#show({ status: 'connecting', since: this.#now(), ...this.run.facts });
  }

  /** Makes a candidate the active process when there is none, however far it has come. */
  succeed(run: ServerRun): void {
    this.#phase = { kind: 'running', run, history: noFailures };
    this.started();
    this.serve();
  }

  /**
   * Makes a candidate the active process, and drains the previous one. Happens in one turn: listeners of the
   * commit see the new connection, and nobody the old one.
   */
  takeOver(run: ServerRun, commit: () => void): void {
    this.run?.drain();
    this.#phase = { kind: 'running', run, history: noFailures };
    const state = connectedState(run, this.#now());
    if (state !== undefined) this.#options.face.show(state, commit);
  }

  /** Shows a lost or failing connection, while its processes are still ending. */
  lost(problem: Problem, cause: 'lost' | 'unhealthy'): void {
    const goal = this.#options.goal();
    const { face } = this.#options;
    const since = this.#now();
    if (goal.kind !== 'run') return;
    // A server that will not be restarted is an error right away; any other waits for the restart policy.
    if (goal.order.restart === 'never')
      face.show({ status: 'error', since, problem: notAgain(problem, goal.order) });
    else if (cause === 'lost') face.show({ status: 'disconnected', since, problem });
    else face.show({ status: 'error', since, problem, nextTryAt: since });
  }

  /** Applies the restart policy after the process has ended, unless the desired state has changed. */
  ended({ ending, left }: RunResult): void {
    const phase = this.#phase;
    if (phase.kind !== 'running') return;
    this.#phase = { kind: 'down' };
    const goal = this.#options.goal();
    if (left.length > 0) this.#rest('error', stopFailed(left, this.#options.key));
    else if (goal.kind === 'run' && goal.order.fingerprint === phase.run.order.fingerprint) {
      this.#follow(ending, goal.order, phase.history);
    }
  }

  #start(order: RunnableOrder, history: FailureHistory): void {
    // Starts with the next step instead, after the other process has ended.
    if (!this.#options.isFree()) return;
    const run = this.#options.begin(order, history.streak > 0);
    this.#phase = { kind: 'running', run, history };
    this.#show({ status: 'connecting', since: this.#now() });
  }

  #forget(): void {
    if (this.#phase.kind === 'waiting') this.#phase.timer.dispose();
    this.#phase = { kind: 'down' };
  }

  #showIdle(): void {
    const { kind } = this.facts;
    if (kind !== 'down' && kind !== 'draining' && kind !== 'ending') return;
    const { goal, face } = this.#options;
    const state = idleState(goal(), this.#now()) ?? pendingState(face.state, this.#now());
    if (state !== undefined) face.show(state);
  }

  #follow(ending: RunEnding, { restart, revival }: RunnableOrder, history: FailureHistory): void {
    const { timing, random } = this.#options;
    const { stable, slowProbe, backoffInitial: initial, backoffMax: max } = timing;
    const policy = { restart, revival, stable, slowProbe, backoff: { initial, max, factor: 2, jitter: 0.2 } };
    const next = nextStep(ending, history, policy, random);
    if (next.kind === 'retry') this.#wait(next);
    else if (next.kind !== 'rest') this.#rest(next.kind, next.problem);
  }

  #rest(status: 'error' | 'needs-auth', problem: Problem): void {
    const goal = this.#options.goal();
    const since = this.#now();
    if (goal.kind === 'run') {
      const { fingerprint, options } = goal.order;
      this.#phase = { kind: 'resting', fingerprint, options };
    }
    this.#show(idleState(goal, since) ?? { status, since, problem });
  }

  #wait({ status, delay, problem, history }: Extract<ReturnType<typeof nextStep>, { kind: 'retry' }>): void {
    const goal = this.#options.goal();
    if (goal.kind !== 'run') return;
    const timer = this.#options.clock.after(delay, () => this.#retry(history));
    const { fingerprint, options } = goal.order;
    this.#phase = { kind: 'waiting', fingerprint, options, timer };
    const since = this.#now();
    this.#show({ status, since, nextTryAt: since + delay, problem });
  }

  #retry(history: FailureHistory): void {
    const goal = this.#options.goal();
    this.#phase = { kind: 'down' };
    if (goal.kind !== 'run') return;
    this.#options.onRetry();
    this.#start(goal.order, history);
  }

  #show(state: ServerState): void {
    this.#options.face.show(state);
  }

  #now(): number {
    return this.#options.clock.now();
  }
}
