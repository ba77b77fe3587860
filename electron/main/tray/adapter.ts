import type { Menu, MenuItemConstructorOptions, NativeImage, Tray } from 'electron';
import type { Disposable } from '../port/disposable.ts';
import { menuTemplate } from './menu-template.ts';
import type { TrayAction, TrayModel, TrayState } from './model.ts';

export interface TrayAdapterOptions {
  readonly createTray: (icon: NativeImage) => Tray;
  readonly buildMenu: (template: MenuItemConstructorOptions[]) => Menu;
  readonly icon: (state: TrayState) => NativeImage;
  readonly after: (milliseconds: number, action: () => void) => Disposable;
  /** Returns the tray's current model, just before it is drawn. */
  readonly model: () => TrayModel;
  /** Resolves when the action is done, successfully or not; it reports its own failure. */
  readonly act: (action: TrayAction) => Promise<void>;
  /** Called for a click on the icon, on systems that do not open the menu for it. */
  readonly onClick: () => void;
}

interface Drawn {
  readonly tray: Tray;
  readonly model: TrayModel;
  /** Keeps a reference, or its items would be garbage-collected while the menu is open. */
  readonly menu: Menu;
}

/** An open menu is not changed; `limit` ends the wait if the system never reports that it closed. */
type AdapterState =
  | { readonly kind: 'absent' }
  | { readonly kind: 'idle'; readonly drawn: Drawn }
  | { readonly kind: 'due'; readonly drawn: Drawn; readonly timer: Disposable }
  | { readonly kind: 'open'; readonly drawn: Drawn; readonly limit: Disposable };

/** Draws the tray's model, debounced and never while the menu is open. */
export class TrayAdapter implements Disposable {
  #state: AdapterState = { kind: 'absent' };
  readonly #options: TrayAdapterOptions;

  constructor(options: TrayAdapterOptions) {
    this.#options = options;
  }

  /** Creates the icon, again if there is one: a restarted desktop panel has forgotten the old one. */
  create(): void {
    this.dispose();
    const { createTray, icon, model, onClick } = this.#options;
    const first = model();
    const tray = createTray(icon(first.state));
    tray.on('click', onClick);
    this.#draw(tray, first);
  }

  /** Schedules a redraw after a change of the hub. */
  update(): void {
    if (this.#state.kind !== 'idle') return;
    const { drawn } = this.#state;
    const timer = this.#options.after(redrawMs, () => this.#redraw());
    this.#state = { kind: 'due', drawn, timer };
  }

  dispose(): void {
    const state = this.#state;
    this.#state = { kind: 'absent' };
    if (state.kind === 'absent') return;
    if (state.kind === 'due') state.timer.dispose();
    if (state.kind === 'open') state.limit.dispose();
    if (!state.drawn.tray.isDestroyed()) state.drawn.tray.destroy();
  }

  /** `force` redraws an unchanged model: a click flips a checkbox by itself. */
  #redraw(force = false): void {
    if (this.#state.kind === 'absent') return;
    const { drawn } = this.#state;
    if (drawn.tray.isDestroyed()) {
      this.create();
      return;
    }
    if (this.#state.kind === 'due') this.#state.timer.dispose();
    if (this.#state.kind === 'open') this.#state.limit.dispose();
    const model = this.#options.model();
    if (!force && JSON.stringify(model) === JSON.stringify(drawn.model)) {
      this.#state = { kind: 'idle', drawn };
      return;
    }
    if (model.state !== drawn.model.state) drawn.tray.setImage(this.#options.icon(model.state));
    this.#draw(drawn.tray, model);
  }

  #draw(tray: Tray, model: TrayModel): void {
    const menu = this.#options.buildMenu(menuTemplate(model.items, (action) => void this.#act(action)));
    const drawn = { tray, model, menu };
    menu.on('menu-will-show', () => this.#opened(drawn));
    menu.on('menu-will-close', () => this.#closed(drawn));
    tray.setToolTip(model.tooltip);
    tray.setContextMenu(menu);
    this.#state = { kind: 'idle', drawn };
  }

  async #act(action: TrayAction): Promise<void> {
    await this.#options.act(action);
    this.#redraw(true);
  }

  #opened(drawn: Drawn): void {
    if (this.#state.kind === 'absent' || this.#state.drawn !== drawn) return;
    if (this.#state.kind === 'due') this.#state.timer.dispose();
    if (this.#state.kind === 'open') this.#state.limit.dispose();
    const limit = this.#options.after(maxOpenMs, () => this.#closed(drawn));
    this.#state = { kind: 'open', drawn, limit };
  }

  #closed(drawn: Drawn): void {
    if (this.#state.kind !== 'open' || this.#state.drawn !== drawn) return;
    this.#state.limit.dispose();
    this.#state = { kind: 'idle', drawn };
    this.update();
  }
}

const redrawMs = 150;
const maxOpenMs = 10_000;
