import type { App } from 'electron';
import type { Disposable } from '../port/disposable.ts';

export interface QuitOptions {
  readonly app: Pick<App, 'on' | 'exit'>;
  /** Where the system's signals arrive: `process`. */
  readonly signals: { on(signal: string, listener: () => void): unknown };
  /** Ends everything the app has started; may take a moment, is given {@link longestStop}. */
  readonly stop: () => Promise<void>;
  /** Ends by force what `stop` did not end in time. */
  readonly force: () => void;
  readonly onQuitting: () => void;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
  readonly onError: (error: unknown) => void;
}

/** The app's way out: everything is stopped first, in bounded time, whatever asked for it. */
export class QuitSequence {
  #state: 'running' | 'stopping' | 'stopped' = 'running';
  readonly #options: QuitOptions;

  /** From now on every quit goes through here, that of the system, the menu and signals included. */
  constructor(options: QuitOptions) {
    this.#options = options;
    options.app.on('before-quit', (event) => {
      if (this.#state === 'stopped') return;
      event.preventDefault();
      this.quit();
    });
    for (const signal of endSignals) options.signals.on(signal, () => this.quit());
  }

  get quitting(): boolean {
    return this.#state !== 'running';
  }

  /** Stops and exits; asking again changes nothing. */
  quit(): void {
    if (this.#state !== 'running') return;
    this.#state = 'stopping';
    this.#options.onQuitting();
    void this.#stopAndExit();
  }

  async #stopAndExit(): Promise<void> {
    const { app, stop, force, onError } = this.#options;
    const inTime = await this.#withinLimit(stop().catch(onError));
    if (!inTime) force();
    this.#state = 'stopped';
    app.exit(0);
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

const endSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
