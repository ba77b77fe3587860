import type { Settings, SettingsPatch } from '../../../shared/schema/settings.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ConnectionKind } from '../command/connection-text.ts';
import type { HubRun } from '../lifecycle/hub-run.ts';
import type { AppUpdates } from '../update/app-updates.ts';
import { accessHandlers } from './access-handlers.ts';
import { activityHandlers } from './activity-handlers.ts';
import { appHandlers } from './app-handlers.ts';
import { auditHandlers } from './audit-handlers.ts';
import { backupHandlers } from './backup-handlers.ts';
import { clientHandlers } from './client-handlers.ts';
import { connectHandlers } from './connect-handlers.ts';
import type { IpcHandlers } from './dispatcher.ts';
import { guardHandlers } from './guard-handlers.ts';
import { importHandlers } from './import-handlers.ts';
import { limitHandlers } from './limit-handlers.ts';
import { profileHandlers } from './profile-handlers.ts';
import { searchHandlers } from './search-handlers.ts';
import { secretHandlers } from './secret-handlers.ts';
import { serverHandlers } from './server-handlers.ts';
import { supportHandlers } from './support-handlers.ts';
import { testerHandlers } from './tester-handlers.ts';
import { updateHandlers } from './update-handlers.ts';
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
  readonly engine: Engine;
  readonly hub: Pick<HubRun, 'view' | 'settled'>;
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
  readonly onStateTaken: () => void;
}

/** Creates all handlers, in the order of the contract table. */
export function createHandlers(context: HandlerContext): IpcHandlers {
  return {
    ...appHandlers(context),
    ...serverHandlers(context),
    ...connectHandlers(context),
    ...secretHandlers(context),
    ...importHandlers(context),
    ...testerHandlers(context),
    ...activityHandlers(context),
    ...accessHandlers(context),
    ...guardHandlers(context),
    ...clientHandlers(context),
    ...profileHandlers(context),
    ...limitHandlers(context),
    ...auditHandlers(context),
    ...searchHandlers(context),
    ...supportHandlers(context),
    ...backupHandlers(context),
    ...updateHandlers(context),
  };
}
