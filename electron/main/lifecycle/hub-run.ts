import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { HubView } from '../../../shared/model/hub.ts';
import type { Hub } from '../../engine/engine.ts';
import type { Disposable } from '../port/disposable.ts';

export type HubPhase = 'starting' | 'running' | 'failed';

type RunState =
  | { readonly kind: 'new' }
  | { readonly kind: 'starting'; readonly done: Promise<void> }
  | { readonly kind: 'running'; readonly hub: Hub }
  | { readonly kind: 'failed'; readonly problem: Problem };

export interface HubRunOptions {
  readonly start: () => Promise<Hub>;
  /** Shows a hub that does not run. */
  readonly viewWithout: (problems: readonly Problem[]) => HubView;
  /** Lists problems of the shell around the hub, for example damaged settings. */
  readonly problems: () => readonly Problem[];
  readonly after: (milliseconds: number, action: () => void) => Disposable;
}

/** Starts the hub and holds it, for a shell that is usable before and without it. */
export class HubRun {
  #state: RunState = { kind: 'new' };
  readonly #options: HubRunOptions;
  readonly #onRunning: ((hub: Hub) => void)[] = [];
  readonly #onSettled: ((failure: Problem | undefined) => void)[] = [];

  constructor(options: HubRunOptions) {
    this.#options = options;
  }

  /** Calls the listener once, when the hub runs. */
  onRunning(listener: (hub: Hub) => void): void {
    this.#onRunning.push(listener);
  }

  /** Calls the listener at the end of each start, after those of {@link onRunning}. */
  onSettled(listener: (failure: Problem | undefined) => void): void {
    this.#onSettled.push(listener);
  }

  /** Starts the hub, once. */
  start(): void {
    if (this.#state.kind === 'new') this.#state = { kind: 'starting', done: this.#start() };
  }

  /** Starts it again where its start has failed; resolves when that has succeeded or failed. */
  async retry(): Promise<void> {
    if (this.#state.kind === 'failed') this.#state = { kind: 'starting', done: this.#start() };
    if (this.#state.kind === 'starting') await this.#state.done;
  }

  get phase(): HubPhase {
    return this.#state.kind === 'new' ? 'starting' : this.#state.kind;
  }

  get running(): Hub | undefined {
    return this.#state.kind === 'running' ? this.#state.hub : undefined;
  }

  /** Returns the running hub; throws ProblemError where there is none. */
  get hub(): Hub {
    if (this.#state.kind === 'running') return this.#state.hub;
    throw new ProblemError(this.#state.kind === 'failed' ? this.#state.problem : notRunning());
  }

  /** Shows the hub with the problems of the shell added. */
  view(): HubView {
    const state = this.#state;
    if (state.kind === 'running') return this.withProblems(state.hub.view());
    return this.withProblems(this.#options.viewWithout(state.kind === 'failed' ? [state.problem] : []));
  }

  withProblems(view: HubView): HubView {
    return { ...view, problems: [...view.problems, ...this.#options.problems()] };
  }

  /** Resolves when the start has succeeded or failed, but after `milliseconds` at the latest. */
  async settled(milliseconds: number): Promise<void> {
    const state = this.#state;
    if (state.kind !== 'starting') return;
    await new Promise<void>((resolve) => {
      const limit = this.#options.after(milliseconds, resolve);
      void state.done.then(() => {
        limit.dispose();
        resolve();
      });
    });
  }

  /** Stops the hub, one that is still starting once it has started. */
  async stop(): Promise<void> {
    if (this.#state.kind === 'starting') await this.#state.done;
    await this.running?.stop();
  }

  async #start(): Promise<void> {
    let failure: Problem | undefined;
    try {
      const hub = await this.#options.start();
      this.#state = { kind: 'running', hub };
      for (const listener of this.#onRunning) listener(hub);
    } catch (error) {
      failure = toProblem(error);
      this.#state = { kind: 'failed', problem: failure };
    }
    for (const listener of this.#onSettled) listener(failure);
  }
}

function notRunning(): Problem {
  return problem('hub.unreachable', 'Patchbay is not running.', 'Start it again.');
}
