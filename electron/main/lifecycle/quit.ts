import type { App } from 'electron';
import type { Disposable } from '../port/disposable.ts';

/**
 * Treatment of active calls: `now` interrupts them, `drain` lets them finish first, `brief` gives them the
 * short time that a system shutdown allows.
 */
export type QuitPace = 'now' | 'drain' | 'brief';

/** Final action after everything has stopped. */
export interface FinalAction {
  /** Must end the process. */
  run(): void;
  /** Called if the quit is cancelled. */
  onCancelled(): void;
}

export interface QuitOptions {
  readonly app: Pick<App, 'on' | 'exit'>;
  /** Source of the system's signals: `process`. */
  readonly signals: {
    on(signal: string, listener: () => void): unknown;
    removeAllListeners(signal: string): unknown;
  };
  /** Called when the user wants to quit and has not been asked about connected clients yet. */
  readonly onAsked: () => void;
  /** Accepts no new calls; resolves when active calls are answered, or after the timeout. */
  readonly drain: (milliseconds: number) => Promise<void>;
  /** Accepts calls again. */
  readonly resume: () => void;
  /** Stops everything the app has started; has up to {@link longestStop} milliseconds. */
  readonly stop: () => Promise<void>;
  /** Kills what `stop` did not end in time. */
  readonly force: () => void;
  readonly onQuitting: () => void;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
  readonly onError: (error: unknown) => void;
}

type QuitState =
  | { readonly kind: 'running' | 'stopping' | 'stopped' }
  | {
      readonly kind: 'draining';
      /** Only a quit that the user started can be cancelled. */
      readonly isWish: boolean;
      readonly hurry: () => void;
      readonly callOff: () => void;
    };

/**
 * Quits in order: lets calls finish as far as requested, then stops everything, each within a time limit.
 */
export class QuitSequence {
  #state: QuitState = { kind: 'running' };
  #finalAction: FinalAction | undefined;
  readonly #options: QuitOptions;

  /** Takes over every quit, including those of the system, the menu and signals. */
  constructor(options: QuitOptions) {
    this.#options = options;
    options.app.on('before-quit', (event) => {
      if (this.#state.kind === 'stopped') return;
      event.preventDefault();
      if (!this.quitting) options.onAsked();
    });
    for (const signal of endSignals) this.#follow(signal);
  }

  /**
   * Removes other listeners first: a library that listened before Chromium was up keeps Node from taking the
   * signal back, and Chromium turns it into an ordinary quit.
   */
  #follow(signal: string): void {
    const { signals } = this.#options;
    signals.removeAllListeners(signal);
    signals.on(signal, () => this.quit('brief'));
  }

  /** True once the quit can no longer be cancelled. */
  get quitting(): boolean {
    return this.#state.kind === 'stopping' || this.#state.kind === 'stopped';
  }

  get draining(): boolean {
    return this.#state.kind === 'draining';
  }

  /** Cancels a quit that is still draining, so that everything continues. */
  stay(): void {
    const state = this.#state;
    if (state.kind !== 'draining' || !state.isWish) return;
    this.#state = { kind: 'running' };
    state.callOff();
    this.#options.resume();
    this.#finalAction?.onCancelled();
  }

  /** Starts the quit; asking again can only speed it up. A system shutdown skips the final action. */
  quit(pace: QuitPace, end?: FinalAction): void {
    const state = this.#state;
    if (pace === 'brief') this.#finalAction = undefined;
    if (state.kind === 'running') this.#finalAction = end;
    if (state.kind === 'draining') this.#speedUp(pace, state);
    if (state.kind !== 'running') return;
    if (pace === 'now') void this.#stopAndExit();
    else void this.#drainAndExit(pace);
  }

  #speedUp(pace: QuitPace, draining: Extract<QuitState, { kind: 'draining' }>): void {
    if (pace === 'now') draining.hurry();
    if (pace !== 'brief') return;
    this.#state = { ...draining, isWish: false };
    this.#options.after(briefDrainMs, draining.hurry);
  }

  async #drainAndExit(pace: Exclude<QuitPace, 'now'>): Promise<void> {
    const { after, drain, onError } = this.#options;
    const milliseconds = pace === 'drain' ? maxDrainMs : briefDrainMs;
    const ends = await new Promise<boolean>((resolve) => {
      const limit = after(milliseconds, () => resolve(true));
      const settle = (isEnd: boolean) => {
        limit.dispose();
        resolve(isEnd);
      };
      const hurry = () => settle(true);
      this.#state = { kind: 'draining', isWish: pace === 'drain', hurry, callOff: () => settle(false) };
      void drain(milliseconds).catch(onError).then(hurry);
    });
    if (ends) await this.#stopAndExit();
  }

  async #stopAndExit(): Promise<void> {
    const { app, stop, force, onError, onQuitting } = this.#options;
    this.#state = { kind: 'stopping' };
    onQuitting();
    const inTime = await this.#withinLimit(stop().catch(onError));
    if (!inTime) force();
    this.#state = { kind: 'stopped' };
    if (this.#finalAction === undefined) app.exit(0);
    else this.#finishUp(this.#finalAction);
  }

  #finishUp({ run }: FinalAction): void {
    const { app, after, onError } = this.#options;
    after(maxStopMs, () => app.exit(0));
    try {
      run();
    } catch (error) {
      onError(error);
      app.exit(1);
    }
  }

  #withinLimit(work: Promise<void>): Promise<boolean> {
    return new Promise((resolve) => {
      const limit = this.#options.after(maxStopMs, () => resolve(false));
      void work.then(() => {
        limit.dispose();
        resolve(true);
      });
    });
  }
}

/** In milliseconds. */
export const maxStopMs = 10_000;
export const maxDrainMs = 30_000;
export const briefDrainMs = 2_000;

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
