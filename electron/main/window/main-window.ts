import { BrowserWindow, type BrowserWindowConstructorOptions, screen, type WebContents } from 'electron';
import type { CloseEffect } from './close-policy.ts';
import { appUrl } from './link-policy.ts';
import { minimumSize, placeWindow, type WindowState } from './window-bounds.ts';

export interface MainWindowOptions {
  /** Absolute path of the preload script. */
  readonly preload: string;
  readonly icon: string;
  readonly background: () => string;
  readonly state: { readonly current: WindowState; change(patch: Partial<WindowState>): void };
  /** True if a hidden window can be brought back by a click. */
  readonly canBringBack: () => boolean;
  /** Asked whenever the window is closing. */
  readonly onClosing: () => CloseEffect;
  /** Called after the effect has been applied; for `quit` it has to quit. */
  readonly onClosed: (effect: CloseEffect) => void;
  readonly onVisible: (visible: boolean) => void;
  /** Called when the page is gone or reloading and has lost its state. */
  readonly onPageGone: (reason: string) => void;
  readonly onShown: () => void;
  /** Windows reports the end of a session only to windows. */
  readonly onSessionEnd: () => void;
}

/** The app's only window: created when first needed, kept while hidden. */
export class MainWindow {
  #window: BrowserWindow | undefined;
  readonly #options: MainWindowOptions;

  constructor(options: MainWindowOptions) {
    this.#options = options;
  }

  get contents(): WebContents | undefined {
    return this.#window?.webContents;
  }

  get visible(): boolean {
    return this.#window?.isVisible() === true;
  }

  /** True while the user has it in focus. */
  get focused(): boolean {
    return this.visible && this.#window?.isFocused() === true;
  }

  /**
   * Brings the window to the front, creating it if there is none. A new one appears with its first paint.
   */
  show(): void {
    const window = this.#window;
    if (window === undefined) {
      this.#window = this.#open();
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  /** Saves position and size; closing does so too, but quitting does not close. */
  remember(): void {
    const window = this.#window;
    if (window === undefined || window.isDestroyed()) return;
    this.#options.state.change({ bounds: window.getNormalBounds(), maximized: window.isMaximized() });
  }

  setBackground(color: string): void {
    this.#window?.setBackgroundColor(color);
  }

  #open(): BrowserWindow {
    const { state, onShown, onVisible, onPageGone, onSessionEnd } = this.#options;
    const window = new BrowserWindow(this.#windowOptions());
    if (state.current.maximized) window.maximize();
    window.once('ready-to-show', () => {
      window.show();
      onShown();
    });
    window.on('close', (event) => this.#closing(window, event));
    window.on('closed', () => this.#closed());
    window.on('session-end', onSessionEnd);
    window.on('show', () => onVisible(true));
    window.on('restore', () => onVisible(true));
    window.on('hide', () => onVisible(false));
    window.on('minimize', () => onVisible(false));
    window.webContents.on('did-start-loading', () => onPageGone('loading'));
    window.webContents.on('render-process-gone', (_event, { reason }) => this.#reload(window, reason));
    void window.loadURL(appUrl).catch((error: unknown) => onPageGone(String(error)));
    return window;
  }

  /** Hides the window without closing it: in the tray if possible. */
  hideOrMinimize(): void {
    if (this.#options.canBringBack()) this.#window?.hide();
    else this.#window?.minimize();
  }

  #windowOptions(): BrowserWindowConstructorOptions {
    const { preload, icon, background, state } = this.#options;
    const primary = screen.getPrimaryDisplay();
    const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
    const workAreas = [primary, ...others].map(({ workArea }) => workArea);
    return {
      ...placeWindow(state.current.bounds, workAreas),
      minWidth: minimumSize.width,
      minHeight: minimumSize.height,
      title: 'Patchbay',
      icon,
      show: false,
      backgroundColor: background(),
      autoHideMenuBar: true,
      webPreferences: {
        preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webviewTag: false,
        webSecurity: true,
        spellcheck: false,
        navigateOnDragDrop: false,
        safeDialogs: true,
      },
    };
  }

  #closing(window: BrowserWindow, event: Electron.Event): void {
    this.remember();
    const effect = this.#options.onClosing();
    if (effect !== 'close') event.preventDefault();
    if (effect === 'hide') window.hide();
    if (effect === 'minimize') window.minimize();
    this.#options.onClosed(effect);
  }

  #closed(): void {
    this.#window = undefined;
    this.#options.onPageGone('closed');
    this.#options.onVisible(false);
  }

  /** Reloads a crashed page; the hub is not affected. */
  #reload(window: BrowserWindow, reason: string): void {
    this.#options.onPageGone(reason);
    if (reason !== 'clean-exit' && !window.isDestroyed()) window.webContents.reload();
  }
}
