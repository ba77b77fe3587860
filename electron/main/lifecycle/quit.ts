import type { App } from 'electron';
import type { Disposable } from '../port/disposable.ts';

/**
 * How calls under way fare: `now` cuts them, `drain` lets them end first, `brief` gives them the moment that a system
 * which is going down grants.
 */
export type QuitPace = 'now' | 'drain' | 'brief';

/** What comes when everything is stopped. */
export interface LastAct {
  /** Has to end the process. */
  run(): void;
  /** It will not come to that: the person stays. */
  calledOff(): void;
}

export interface QuitOptions {
  readonly app: Pick<App, 'on' | 'exit'>;
  /** Where the system's signals arrive: `process`. */
  readonly signals: {
    on(signal: string, listener: () => void): unknown;
    removeAllListeners(signal: string): unknown;
  };
  /** Somebody wants to quit who has not been asked yet what is to become of the clients. */
  readonly onAsked: () => void;
  /** Takes no new calls; resolves when those under way are answered, or after the milliseconds. */
  readonly drain: (milliseconds: number) => Promise<void>;
  /** Takes calls again, after all. */
  readonly resume: () => void;
  /** Ends everything the app has started; may take a moment, is given {@link longestStop}. */
  readonly stop: () => Promise<void>;
  /** Ends by force what `stop` did not end in time. */
  readonly force: () => void;
  readonly onQuitting: () => void;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
  readonly onError: (error: unknown) => void;
}

type QuitState =
  | { readonly kind: 'running' | 'stopping' | 'stopped' }
  | {
      readonly kind: 'draining';
      /** Only what a person has begun can be called off. */
      readonly isWish: boolean;
      readonly hurry: () => void;
      readonly callOff: () => void;
    };

/** The app's way out: calls are let end as far as wanted, then everything is stopped, each in bounded time. */
export class QuitSequence {
  #state: QuitState = { kind: 'running' };
  #end: LastAct | undefined;
  readonly #options: QuitOptions;

  /** From now on every quit goes through here, that of the system, the menu and signals included. */
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
   * Whoever listened before Chromium was up (a library does) has kept Node from taking the signal back from it since, and
   * Chromium makes it a quit like any other.
   */
  #follow(signal: string): void {
    const { signals } = this.#options;
    signals.removeAllListeners(signal);
    signals.on(signal, () => this.quit('brief'));
  }

  /** The end can no longer be put off. */
  get quitting(): boolean {
    return this.#state.kind === 'stopping' || this.#state.kind === 'stopped';
  }

  get draining(): boolean {
    return this.#state.kind === 'draining';
  }

  /** The person wants to stay after all: what was to end goes on, unless it can no longer be put off. */
  stay(): void {
    const state = this.#state;
    if (state.kind !== 'draining' || !state.isWish) return;
    this.#state = { kind: 'running' };
    state.callOff();
    this.#options.resume();
    this.#end?.calledOff();
  }

  /** Begins the end; asking again can only bring it nearer. The system's own end leaves out what was to come last. */
  quit(pace: QuitPace, end?: LastAct): void {
    const state = this.#state;
    if (pace === 'brief') this.#end = undefined;
    if (state.kind === 'running') this.#end = end;
    if (state.kind === 'draining') this.#bringNearer(pace, state);
    if (state.kind !== 'running') return;
    if (pace === 'now') void this.#stopAndExit();
    else void this.#drainAndExit(pace);
  }

  #bringNearer(pace: QuitPace, draining: Extract<QuitState, { kind: 'draining' }>): void {
    if (pace === 'now') draining.hurry();
    if (pace !== 'brief') return;
    this.#state = { ...draining, isWish: false };
    this.#options.after(briefDrain, draining.hurry);
  }

  async #drainAndExit(pace: Exclude<QuitPace, 'now'>): Promise<void> {
    const { after, drain, onError } = this.#options;
    const milliseconds = pace === 'drain' ? longestDrain : briefDrain;
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
    if (this.#end === undefined) app.exit(0);
    else this.#finishUp(this.#end);
  }

  #finishUp({ run }: LastAct): void {
    const { app, after, onError } = this.#options;
    after(longestStop, () => app.exit(0));
    try {
      run();
    } catch (error) {
      onError(error);
      app.exit(1);
    }
  }

  #withinLimit(work: Promise<void>): Promise<boolean> {
    return new Promise((resolve) => {
      const limit = this.#options.after(longestStop, () => resolve(false));
      void work.then(() => {
        limit.dispose();
        resolve(true);
      });
    });
  }
}

/** Milliseconds. */
export const longestStop = 10_000;
export const longestDrain = 30_000;
export const briefDrain = 2_000;

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
