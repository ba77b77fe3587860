import type { Settings, SettingsPatch } from '../../../shared/schema/settings.ts';
import type { Limits } from '../../engine/engine.ts';
import type { ConnectionKind } from '../command/connection-text.ts';
import type { HubLifecycle } from '../lifecycle/hub-lifecycle.ts';
import type { AppUpdates } from '../update/app-updates.ts';
import type { WatchList } from './watch-list.ts';

/** System functions that the handlers use. */
export interface SystemPort {
  copyText(text: string): void;
  /** Returns the clipboard's text, or an empty string. */
  readText(): Promise<string>;
  openLink(url: string): Promise<void>;
  /** Opens a file or folder with the user's default program. */
  openPath(path: string): Promise<void>;
  /** Opens a dialog for a file or folder, hidden ones included; undefined if it was cancelled. */
  chooseFile(title: string, kind?: 'file' | 'folder'): Promise<string | undefined>;
  /** Opens a save dialog for a file of this name; undefined if it was cancelled. */
  chooseTarget(title: string, name: string): Promise<string | undefined>;
  quit(how: 'now' | 'drain', stayOff: boolean): void;
  /** Cancels a quit that waits for calls to finish. */
  stay(): void;
  closeWindow(): void;
}

export interface HandlerContext {
  readonly hub: Pick<HubLifecycle, 'hub' | 'running' | 'view' | 'settled'>;
  readonly limits: Limits;
  /** Makes a support bundle without a hub. */
  readonly support: (program: Readonly<Record<string, string | undefined>>) => Promise<string>;
  readonly settings: () => Settings;
  readonly changeSettings: (patch: SettingsPatch) => Promise<Settings>;
  readonly watches: WatchList;
  readonly updates: () => Pick<AppUpdates, 'view' | 'check' | 'download' | 'cancelDownload' | 'install'>;
  /** Stops the hub without a window that owns the data folder, and starts ours. */
  readonly takeOver: () => Promise<void>;
  readonly copyConnection: (what: ConnectionKind) => Promise<void>;
  readonly system: SystemPort;
  /** Folder of the app's own files. */
  readonly appFolder: string;
  /** Called when the window has the whole state and can receive changes. */
  readonly onStateSent: () => void;
}
