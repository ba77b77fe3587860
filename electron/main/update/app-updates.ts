import { ProblemError } from '../../../shared/error/problem.ts';
import type { AppUpdate, UpdateOffer, UpdateOffReason } from '../../../shared/model/app-update.ts';
import type { FinalAction } from '../lifecycle/quit.ts';
import type { Disposable } from '../port/disposable.ts';
import { cannotReplace, checkFailed, downloadFailed, notReplaced } from './update-problem.ts';
import type { UpdaterPort } from './updater-port.ts';

export interface AppUpdatesOptions {
  /** Reason why updates are unavailable. */
  readonly off: UpdateOffReason | undefined;
  /** Loads the update library, which is slow to load and rarely needed. */
  readonly load: () => Promise<UpdaterPort>;
  readonly now: () => number;
  readonly every: (milliseconds: number, action: () => void) => Disposable;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
  /** True if the user wants daily checks. */
  readonly daily: () => boolean;
  readonly onChange: (update: AppUpdate) => void;
  /** Quits the app and runs `end` after everything has stopped. */
  readonly quit: (how: 'now' | 'drain', end: FinalAction) => void;
  /** Saves the update for the next start; undefined clears it. */
  readonly saveForRestart: (offer: UpdateOffer | undefined) => void;
  /** Restarts this version, because nothing was replaced. */
  readonly relaunch: () => void;
}

type State =
  | Exclude<AppUpdate, { kind: 'downloading' }>
  | (Extract<AppUpdate, { kind: 'downloading' }> & { readonly stop: AbortController });

/** Checks for newer versions of the app; downloads and installs them when the user asks. */
export class AppUpdates implements Disposable {
  #state: State;
  #port: Promise<UpdaterPort> | undefined;
  readonly #timers: readonly Disposable[];
  readonly #options: AppUpdatesOptions;

  /** `missed`: an update that should have been installed by this start but was not. */
  constructor(options: AppUpdatesOptions, missed?: { readonly wanted: string; readonly version: string }) {
    this.#options = options;
    this.#state =
      missed === undefined
        ? { kind: 'current' }
        : { kind: 'failed', problem: notReplaced(missed.wanted, missed.version) };
    const look = () => {
      if (options.daily()) void this.check();
    };
    this.#timers = [options.after(firstCheckMs, look), options.every(dayMs, look)];
  }

  get view(): AppUpdate {
    const { off } = this.#options;
    if (off !== undefined) return { kind: 'off', reason: off };
    if (this.#state.kind !== 'downloading') return this.#state;
    const { kind, offer, percent } = this.#state;
    return { kind, offer, percent };
  }

  /** Does nothing while an update is in progress. */
  async check(): Promise<AppUpdate> {
    const mayLook = ['current', 'available', 'failed'].includes(this.#state.kind);
    if (this.view.kind === 'off' || !mayLook) return this.view;
    this.#become({ kind: 'checking' });
    try {
      const offer = await (await this.#loaded()).check();
      this.#become(
        offer === undefined
          ? { kind: 'current', checkedAt: this.#options.now() }
          : { kind: 'available', offer },
      );
    } catch (error) {
      this.#become({ kind: 'failed', problem: checkFailed(error) });
    }
    return this.view;
  }

  download(): AppUpdate {
    const state = this.#state;
    const offer = state.kind === 'available' || state.kind === 'failed' ? state.offer : undefined;
    if (this.view.kind === 'off' || offer === undefined) return this.view;
    const stop = new AbortController();
    this.#become({ kind: 'downloading', offer, percent: 0, stop });
    void this.#download(offer, stop);
    return this.view;
  }

  cancelDownload(): AppUpdate {
    if (this.#state.kind === 'downloading') {
      this.#state.stop.abort();
      this.#become({ kind: 'available', offer: this.#state.offer });
    }
    return this.view;
  }

  /**
   * Rejects with ProblemError, and stops nothing, if the installation is certain to fail. Asking again can
   * only speed it up.
   */
  async install(how: 'now' | 'drain'): Promise<AppUpdate> {
    const state = this.#state;
    if (state.kind === 'installing')
      this.#options.quit(how, this.#finalAction(state.offer, await this.#loaded()));
    if (state.kind !== 'ready') return this.view;
    const { offer } = state;
    const port = await this.#loaded();
    const obstacle = port.obstacle();
    if (obstacle !== undefined) throw new ProblemError(cannotReplace(obstacle));
    this.#become({ kind: 'installing', offer });
    this.#options.saveForRestart(offer);
    this.#options.quit(how, this.#finalAction(offer, port));
    return this.view;
  }

  #finalAction(offer: UpdateOffer, port: UpdaterPort): FinalAction {
    return {
      run: () => {
        if (!port.install()) this.#options.relaunch();
      },
      onCancelled: () => {
        this.#options.saveForRestart(undefined);
        this.#become({ kind: 'ready', offer });
      },
    };
  }

  dispose(): void {
    for (const timer of this.#timers) timer.dispose();
    if (this.#state.kind === 'downloading') this.#state.stop.abort();
  }

  async #download(offer: UpdateOffer, stop: AbortController): Promise<void> {
    const wanted = () => !stop.signal.aborted;
    const onPercent = (percent: number) => {
      if (wanted() && this.#isNewPercent(percent))
        this.#become({ kind: 'downloading', offer, percent, stop });
    };
    try {
      await (await this.#loaded()).download(onPercent, stop.signal);
      if (wanted()) this.#become({ kind: 'ready', offer });
    } catch (error) {
      if (wanted()) this.#become({ kind: 'failed', problem: downloadFailed(error, offer.version), offer });
    }
  }

  #isNewPercent(percent: number): boolean {
    return this.#state.kind === 'downloading' && this.#state.percent !== percent;
  }

  /** A failed load is retried the next time. */
  #loaded(): Promise<UpdaterPort> {
    this.#port ??= this.#options.load().catch((error: unknown) => {
      this.#port = undefined;
      throw error;
    });
    return this.#port;
  }

  #become(state: State): void {
    this.#state = state;
    this.#options.onChange(this.view);
  }
}

/** In milliseconds after the start. */
const firstCheckMs = 5 * 60_000;
const dayMs = 24 * 60 * 60_000;
