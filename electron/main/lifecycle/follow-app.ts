import { type App, nativeTheme, type PowerMonitor } from 'electron';
import type { Settings } from '../../../shared/schema/settings.ts';
import { onSecondLaunch, type SecondLaunch } from './single-instance.ts';

export interface AppListeners {
  readonly showWindow: () => void;
  /** Called when the session or the whole system ends. */
  readonly onSessionEnd: () => void;
  /** Called when the machine has woken up or the user is back. */
  readonly onWake: () => void;
  /** Called when the user returns to the window. */
  readonly onFocus: () => void;
  readonly onSecondLaunch: (request: SecondLaunch) => void;
}

/** Connects the events of app and system to their handlers. */
export function followApp(app: App, power: PowerMonitor, listeners: AppListeners): void {
  onSecondLaunch(app, listeners.onSecondLaunch);
  app.on('activate', listeners.showWindow);
  // Without a listener Electron would quit; the hub keeps serving without a window.
  app.on('window-all-closed', () => {});
  // Linux and macOS; the system waits briefly if an app asks for it. Electron's types omit the event's
  // parameter.
  power.on('shutdown', (event?: Electron.Event) => {
    event?.preventDefault();
    listeners.onSessionEnd();
  });
  app.on('browser-window-focus', listeners.onFocus);
  power.on('resume', listeners.onWake);
  power.on('unlock-screen', listeners.onWake);
}

/** Applies the chosen theme to the window's page and the system's dialogs. */
export function applyTheme({ theme }: Settings): void {
  nativeTheme.themeSource = theme;
}
