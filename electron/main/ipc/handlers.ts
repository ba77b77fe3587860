import type { Settings, SettingsPatch } from '../../../shared/schema/settings.ts';
import type { Limits } from '../../engine/engine.ts';
import type { ConnectionKind } from '../command/connection-text.ts';
import type { HubRun } from '../lifecycle/hub-run.ts';
import type { AppUpdates } from '../update/app-updates.ts';
import { appHandlers } from './app-handlers.ts';
import { backupHandlers } from './backup-handlers.ts';
import type { ShellHandlers } from './dispatcher.ts';
import { supportHandlers } from './support-handlers.ts';
import { updateHandlers } from './update-handlers.ts';
import type { WatchList } from './watch-list.ts';
import { windowHandlers } from './window-handlers.ts';

/** What the handlers need of the system. */
export interface SystemPort {
  copyText(text: string): void;
  /** The text on the clipboard; empty where there is none. */
  readText(): Promise<string>;
  openLink(url: string): Promise<void>;
  /** Opens a file or folder with the program the person uses for it. */
  openPath(path: string): Promise<void>;
  /** A file or folder the person points at; undefined when they do not. Hidden ones are shown. */
  chooseFile(title: string, kind?: 'file' | 'folder'): Promise<string | undefined>;
  /** Where a file of this name is to be written; undefined when the person does not say. */
  chooseTarget(title: string, name: string): Promise<string | undefined>;
  quit(how: 'now' | 'drain', stayOff: boolean): void;
  /** Calls a quit off that lets calls end first. */
  stay(): void;
  closeWindow(): void;
}

export interface HandlerContext {
  readonly hub: Pick<HubRun, 'hub' | 'running' | 'view' | 'settled'>;
  readonly limits: Limits;
  /** Makes a support bundle without a hub. */
  readonly support: (program: Readonly<Record<string, string | undefined>>) => Promise<string>;
  readonly settings: () => Settings;
  readonly changeSettings: (patch: SettingsPatch) => Promise<Settings>;
  readonly watches: WatchList;
  readonly updates: () => Pick<AppUpdates, 'view' | 'check' | 'download' | 'cancelDownload' | 'install'>;
  /** Ends the hub without a window that has the data folder, and starts ours. */
  readonly takeOver: () => Promise<void>;
  readonly copyConnection: (what: ConnectionKind) => Promise<void>;
  readonly system: SystemPort;
  /** The app's own files. */
  readonly appFolder: string;
  /** The window holds the whole state from now on and can be sent changes. */
  readonly onStateTaken: () => void;
}

/** Collects one handler for each call that the shell answers itself. */
export function createHandlers(context: HandlerContext): ShellHandlers {
  return {
    ...appHandlers(context),
    ...supportHandlers(context),
    ...backupHandlers(context),
    ...updateHandlers(context),
    ...windowHandlers(context),
  };
}
