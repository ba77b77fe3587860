import { type Problem, toProblem } from '../../../shared/error/problem.ts';
import type { HubView } from '../../../shared/model/hub.ts';
import type { Engine } from '../../engine/engine.ts';
import type { Disposable } from '../port/disposable.ts';

export type HubPhase = 'starting' | 'running' | 'failed';

type RunState =
  | { readonly kind: 'new' }
  | { readonly kind: 'starting'; readonly done: Promise<void> }
  | { readonly kind: 'running' }
  | { readonly kind: 'failed'; readonly problem: Problem };

export interface HubRunOptions {
  readonly engine: Engine;
  /** Problems of the program around the engine, for example damaged settings. */
  readonly problems: () => readonly Problem[];
  readonly after: (milliseconds: number, action: () => void) => Disposable;
  /** Called at the end of each start. */
  readonly onStarted: (failure: Problem | undefined) => void;
}

/** Runs the engine's start for the app, which is usable before and without it. */
export class HubRun {
  #state: RunState = { kind: 'new' };
  readonly #options: HubRunOptions;

  constructor(options: HubRunOptions) {
    this.#options = options;
  }

  /** Starts the engine, once. */
  start(): void {
    if (this.#state.kind === 'new') this.#state = { kind: 'starting', done: this.#run() };
  }

  /** Starts it again if its start has failed; resolves when that has ended, successfully or not. */
  async retry(): Promise<void> {
    if (this.#state.kind === 'failed') this.#state = { kind: 'starting', done: this.#run() };
    if (this.#state.kind === 'starting') await this.#state.done;
  }

  get phase(): HubPhase {
    return this.#state.kind === 'new' ? 'starting' : this.#state.kind;
  }

  /** Returns the hub's view with the app's own problems added. */
  view(): HubView {
    return this.withProblems(this.#options.engine.hub());
  }

  withProblems(view: HubView): HubView {
    return { ...view, problems: [...view.problems, ...this.#options.problems()] };
  }

  /** Resolves when the start has ended, successfully or not, but after `milliseconds` at the latest. */
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

  async #run(): Promise<void> {
    try {
      await this.#options.engine.start();
      this.#state = { kind: 'running' };
      this.#options.onStarted(undefined);
    } catch (error) {
      const problem = toProblem(error);
      this.#state = { kind: 'failed', problem };
      this.#options.onStarted(problem);
    }
  }
}
