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
  readonly engine: Engine;
  readonly hub: Pick<HubRun, 'view' | 'settled'>;
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

/** One handler a row of the contract table, in its order. */
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
