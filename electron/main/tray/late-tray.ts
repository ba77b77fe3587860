import type { Disposable } from '../port/disposable.ts';
import { type RunningTray, startTray, type TrayOptions } from './start-tray.ts';

type LateTrayState =
  | { readonly kind: 'new' | 'starting' | 'ended' }
  | { readonly kind: 'running'; readonly tray: RunningTray };

/** A tray that can be used before the system's tray has been found. */
export class LateTray implements Disposable {
  #state: LateTrayState = { kind: 'new' };
  readonly #options: TrayOptions;

  constructor(options: TrayOptions) {
    this.#options = options;
  }

  /** True if the user can see the icon. */
  get visible(): boolean {
    return this.#state.kind === 'running' && this.#state.tray.visible;
  }

  start(): void {
    if (this.#state.kind !== 'new') return;
    this.#state = { kind: 'starting' };
    void this.#start().catch(this.#options.onError);
  }

  update(): void {
    if (this.#state.kind === 'running') this.#state.tray.update();
  }

  dispose(): void {
    if (this.#state.kind === 'running') this.#state.tray.dispose();
    this.#state = { kind: 'ended' };
  }

  async #start(): Promise<void> {
    const tray = await startTray(this.#options);
    // The tray may have been disposed meanwhile.
    if (this.#state.kind === 'starting') this.#state = { kind: 'running', tray };
    else tray.dispose();
  }
}
