import { ProblemError } from '../../../shared/error/problem.ts';
import type { AppUpdate, UpdateOffer, UpdateOffReason } from '../../../shared/model/app-update.ts';
import type { LastAct } from '../lifecycle/quit.ts';
import type { Disposable } from '../port/disposable.ts';
import { cannotReplace, checkFailed, downloadFailed, notReplaced } from './update-problem.ts';
import type { UpdaterPort } from './updater-port.ts';

export interface AppUpdatesOptions {
  /** Why there is nothing to ask, or nothing to replace. */
  readonly off: UpdateOffReason | undefined;
  /** The library, which takes its time to load and is mostly not needed. */
  readonly load: () => Promise<UpdaterPort>;
  readonly now: () => number;
  readonly every: (milliseconds: number, action: () => void) => Disposable;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
  /** A look each day is wished for. */
  readonly daily: () => boolean;
  readonly onChange: (update: AppUpdate) => void;
  /** Ends the app, with this as the very last, once everything is stopped. */
  readonly quit: (how: 'now' | 'drain', end: LastAct) => void;
  /** What the next start is to know; undefined: nothing, since it will not follow an update. */
  readonly keepForNext: (offer: UpdateOffer | undefined) => void;
  /** Nothing was replaced: this version has to come back. */
  readonly comeBack: () => void;
}

type State =
  | Exclude<AppUpdate, { kind: 'downloading' }>
  | (Extract<AppUpdate, { kind: 'downloading' }> & { readonly stop: AbortController });

/** Looks for newer versions of the app, downloads and installs them on a person's word. */
export class AppUpdates implements Disposable {
  #state: State;
  #port: Promise<UpdaterPort> | undefined;
  readonly #timers: readonly Disposable[];
  readonly #options: AppUpdatesOptions;

  /** `missed`: what was to be installed when the app ended, and is not what runs. */
  constructor(options: AppUpdatesOptions, missed?: { readonly wanted: string; readonly version: string }) {
    this.#options = options;
    this.#state =
      missed === undefined
        ? { kind: 'current' }
        : { kind: 'failed', problem: notReplaced(missed.wanted, missed.version) };
    const look = () => {
      if (options.daily()) void this.check();
    };
    this.#timers = [options.after(firstLook, look), options.every(day, look)];
  }

  get view(): AppUpdate {
    const { off } = this.#options;
    if (off !== undefined) return { kind: 'off', reason: off };
    if (this.#state.kind !== 'downloading') return this.#state;
    const { kind, offer, percent } = this.#state;
    return { kind, offer, percent };
  }

  /** Does nothing while something newer is on its way. */
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

  /** Rejects with ProblemError, and stops nothing, where it is certain to fail. Asking again can only bring it nearer. */
  async install(how: 'now' | 'drain'): Promise<AppUpdate> {
    const state = this.#state;
    if (state.kind === 'installing')
      this.#options.quit(how, this.#lastAct(state.offer, await this.#loaded()));
    if (state.kind !== 'ready') return this.view;
    const { offer } = state;
    const port = await this.#loaded();
    const obstacle = port.obstacle();
    if (obstacle !== undefined) throw new ProblemError(cannotReplace(obstacle));
    this.#become({ kind: 'installing', offer });
    this.#options.keepForNext(offer);
    this.#options.quit(how, this.#lastAct(offer, port));
    return this.view;
  }

  #lastAct(offer: UpdateOffer, port: UpdaterPort): LastAct {
    return {
      run: () => {
        if (!port.install()) this.#options.comeBack();
      },
      calledOff: () => {
        this.#options.keepForNext(undefined);
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
      if (wanted() && this.#isNews(percent)) this.#become({ kind: 'downloading', offer, percent, stop });
    };
    try {
      await (await this.#loaded()).download(onPercent, stop.signal);
      if (wanted()) this.#become({ kind: 'ready', offer });
    } catch (error) {
      if (wanted()) this.#become({ kind: 'failed', problem: downloadFailed(error, offer.version), offer });
    }
  }

  #isNews(percent: number): boolean {
    return this.#state.kind === 'downloading' && this.#state.percent !== percent;
  }

  /** A failed load is tried again the next time. */
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

/** Milliseconds after the start: nothing of it is waited for. */
const firstLook = 5 * 60_000;
const day = 24 * 60 * 60_000;
