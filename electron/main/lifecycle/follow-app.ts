import { type App, nativeTheme, type PowerMonitor } from 'electron';
import type { Settings } from '../../../shared/schema/settings.ts';
import { onSecondLaunch, type SecondLaunch } from './single-instance.ts';

export interface AppListeners {
  readonly showWindow: () => void;
  /** The session or the whole system ends. */
  readonly onSessionEnd: () => void;
  /** The machine has woken up, or somebody is back at it. */
  readonly onWake: () => void;
  /** Somebody comes back to the window, maybe from another program. */
  readonly onFocus: () => void;
  readonly onSecondLaunch: (request: SecondLaunch) => void;
}

/** Ties the events of app and system to what they mean here. */
export function followApp(app: App, power: PowerMonitor, listeners: AppListeners): void {
  onSecondLaunch(app, listeners.onSecondLaunch);
  app.on('activate', listeners.showWindow);
  // Listened to, or Electron would quit: the hub goes on serving without a window.
  app.on('window-all-closed', () => {});
  // Linux and macOS; the system waits a little for an app that asks it to. Electron's types leave out the event.
  power.on('shutdown', (event?: Electron.Event) => {
    event?.preventDefault();
    listeners.onSessionEnd();
  });
  app.on('browser-window-focus', listeners.onFocus);
  power.on('resume', listeners.onWake);
  power.on('unlock-screen', listeners.onWake);
}

/** The window's page and the system's own dialogs follow the chosen theme. */
export function applyTheme({ theme }: Settings): void {
  nativeTheme.themeSource = theme;
}
