import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { HubView } from '../../../shared/model/hub/hub.ts';
import type { Hub } from '../../engine/engine.ts';
import type { Disposable } from '../port/disposable.ts';

export type HubPhase = 'starting' | 'running' | 'failed';

type RunState =
  | { readonly kind: 'new' }
  | { readonly kind: 'starting'; readonly done: Promise<void> }
  | { readonly kind: 'running'; readonly hub: Hub }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'stopped' };

export interface HubLifecycleOptions {
  /** Rejects with the reason if the hub cannot start; never throws. */
  readonly start: () => Promise<Hub>;
  /** Returns the view of a hub that does not run. */
  readonly viewWithout: (problems: readonly Problem[]) => HubView;
  /** Lists problems of the shell around the hub, for example damaged settings. */
  readonly problems: () => readonly Problem[];
  readonly after: (milliseconds: number, action: () => void) => Disposable;
}

/** Starts the hub and holds the running one. The shell is usable before the hub runs, and without it. */
export class HubLifecycle {
  #state: RunState = { kind: 'new' };
  #isClosed = false;
  readonly #options: HubLifecycleOptions;
  readonly #onRunning: ((hub: Hub) => void)[] = [];
  readonly #onSettled: ((failure: Problem | undefined) => void)[] = [];

  constructor(options: HubLifecycleOptions) {
    this.#options = options;
  }

  /** Calls the listener when the hub runs: once, unless another hub replaces it and a retry starts it again. */
  onRunning(listener: (hub: Hub) => void): void {
    this.#onRunning.push(listener);
  }

  /** Calls the listener at the end of each start, after those of {@link onRunning}. */
  onSettled(listener: (failure: Problem | undefined) => void): void {
    this.#onSettled.push(listener);
  }

  /** Starts the hub, once. */
  start(): void {
    if (this.#state.kind === 'new') this.#begin();
  }

  /** Retries a failed start; resolves when it has succeeded or failed. */
  async retry(): Promise<void> {
    if (this.#state.kind === 'failed') this.#begin();
    if (this.#state.kind === 'starting') await this.#state.done;
  }

  get phase(): HubPhase {
    switch (this.#state.kind) {
      case 'new':
        return 'starting';
      case 'stopped':
        return 'failed';
      default:
        return this.#state.kind;
    }
  }

  get running(): Hub | undefined {
    return this.#state.kind === 'running' ? this.#state.hub : undefined;
  }

  /** Returns the running hub; throws ProblemError if there is none. */
  get hub(): Hub {
    if (this.#state.kind === 'running') return this.#state.hub;
    throw new ProblemError(this.#state.kind === 'failed' ? this.#state.problem : notRunning());
  }

  /** Returns the view of the hub with the shell's problems added. */
  view(): HubView {
    const state = this.#state;
    if (state.kind === 'running') return this.withProblems(state.hub.view());
    return this.withProblems(this.#options.viewWithout(state.kind === 'failed' ? [state.problem] : []));
  }

  withProblems(view: HubView): HubView {
    return { ...view, problems: [...view.problems, ...this.#options.problems()] };
  }

  /**
   * Resolves when a start in progress has succeeded or failed, or after `milliseconds`; false if the hub was
   * not starting.
   */
  async settled(milliseconds?: number): Promise<boolean> {
    const state = this.#state;
    if (state.kind !== 'starting') return false;
    await new Promise<void>((resolve) => {
      const limit = milliseconds === undefined ? undefined : this.#options.after(milliseconds, resolve);
      void state.done.then(() => {
        limit?.dispose();
        resolve();
      });
    });
    return true;
  }

  /** Stops the hub because another one owns its folder; a retry may start it again. */
  async replaced(why: Problem): Promise<void> {
    const { running } = this;
    if (running === undefined || this.#isClosed) return;
    const stopped = running.stop();
    // A retry waits for it as for a start.
    this.#state = { kind: 'starting', done: stopped.catch(() => {}) };
    await stopped.finally(() => {
      if (this.#isClosed) return;
      this.#state = { kind: 'failed', problem: why };
      callAll(this.#onSettled, why);
    });
  }

  /** Prevents further starts and notifies no listener of one in progress: the shell is shutting down. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Stops the hub for good, after its start if it is still starting; `onStopping` gets it while it still
   * runs.
   */
  async stop(onStopping: (hub: Hub) => void = () => {}): Promise<void> {
    this.close();
    if (this.#state.kind === 'starting') await this.#state.done;
    const { running } = this;
    this.#state = { kind: 'stopped' };
    if (running === undefined) return;
    onStopping(running);
    await running.stop();
  }

  #begin(): void {
    if (!this.#isClosed) this.#state = { kind: 'starting', done: this.#start() };
  }

  /** Never rejects. */
  async #start(): Promise<void> {
    let failure: Problem | undefined;
    try {
      this.#state = { kind: 'running', hub: await this.#options.start() };
    } catch (error) {
      failure = toProblem(error);
      this.#state = { kind: 'failed', problem: failure };
    }
    if (this.#isClosed) return;
    if (this.#state.kind === 'running') callAll(this.#onRunning, this.#state.hub);
    callAll(this.#onSettled, failure);
  }
}

/** Reports a listener's bug without skipping the listeners after it: the hub runs nevertheless. */
function callAll<T>(listeners: readonly ((value: T) => void)[], value: T): void {
  for (const listener of listeners) {
    try {
      listener(value);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  }
}

function notRunning(): Problem {
  return problem('hub.unreachable', 'Patchbay is not running.', 'Start it again.');
}
