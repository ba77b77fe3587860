import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../shared/error/problem.ts';
import type { IpcOutput } from '../../shared/ipc/contract.ts';
import type { QuitPlan } from '../../shared/model/call.ts';
import type { ImportPreview } from '../../shared/model/import-session.ts';
import type { TryTarget } from './tester-store.ts';

export const views = ['servers', 'tools', 'activity', 'clients', 'settings'] as const;
export type View = (typeof views)[number];

export const serverTabs = ['overview', 'tools', 'log', 'config'] as const;
export type ServerTab = (typeof serverTabs)[number];

export const clientsPages = ['clients', 'profiles', 'access'] as const;
export type ClientsPage = (typeof clientsPages)[number];

export const toolsPages = ['servers', 'skills'] as const;
export type ToolsPage = (typeof toolsPages)[number];

export const activityPages = ['calls', 'audit', 'metrics'] as const;
export type ActivityPage = (typeof activityPages)[number];

export const settingsPages = ['general', 'secrets', 'search', 'limits', 'about'] as const;
export type SettingsPage = (typeof settingsPages)[number];

/** A tool by the two names that identify it. */
export interface ToolRef {
  readonly serverKey: string;
  readonly name: string;
}

/** The tester at a server, with what is open in it. */
export interface TestingPlace {
  readonly serverKey: string;
  readonly open?: Pick<TryTarget, 'kind' | 'name'>;
  readonly page?: 'checks';
}

/** Where the user is. Selections of views stay when another view is opened. */
export interface Place {
  readonly view: View;
  readonly serverKey?: string;
  readonly serverTab: ServerTab;
  readonly tool?: ToolRef;
  /** What is tried out; it stands in front of the view, which is gone back to. */
  readonly testing?: TestingPlace;
  readonly toolsPage?: ToolsPage;
  /** The one whose tools are shown; `unclassified` for those that have none. */
  readonly skill?: string;
  readonly activityPage?: ActivityPage;
  readonly settingsPage?: SettingsPage;
  readonly clientsPage?: ClientsPage;
  /** The one that is open on its page. */
  readonly profile?: string;
}

/** Fields of a draft that the config file has other new values for. */
export interface DraftConflict {
  readonly fields: readonly string[];
  /** The entry's text in the file, as it is shown. */
  readonly theirs: string;
  /** Where the user was going when the draft was to be saved. */
  readonly to?: Place | undefined;
}

/** How servers are added. */
export type AddWay = 'form' | 'paste' | 'import';

/** Brought by a link: servers to decide upon, or why it was refused. */
export type LinkedImport = { readonly preview: ImportPreview } | { readonly problem: Problem };

/** Stands in the box for anything when it opens; with nothing of it, the clipboard is looked at. */
export interface PasteStart {
  readonly text?: string;
  /** Paths of files that were dropped. */
  readonly files?: readonly string[];
  readonly from?: LinkedImport;
}

/** The one dialog that may be open. */
export type Dialog =
  | { readonly kind: 'add-server'; readonly how: AddWay; readonly start?: PasteStart }
  | { readonly kind: 'leave-draft'; readonly to: Place }
  | { readonly kind: 'draft-conflict'; readonly conflict: DraftConflict }
  /** With a version, the app comes back as that. */
  | { readonly kind: 'quit'; readonly plan: QuitPlan; readonly version?: string }
  /** `pickup` tells what is left to do in the client once it is connected. */
  | {
      readonly kind: 'connect';
      readonly id: string;
      readonly title: string;
      readonly pickup: string;
      readonly isConnected: boolean;
    }
  | { readonly kind: 'connect-snippet'; readonly id: string; readonly title: string }
  /** A profile that clients have. */
  | { readonly kind: 'delete-profile'; readonly name: string }
  /** What a client holds, gets and uses. */
  | { readonly kind: 'client-detail'; readonly id: string; readonly page?: 'compact' }
  /** What one identity may do, and what it was granted. */
  | { readonly kind: 'identity'; readonly id: string }
  /** What one identity may do with the tools of one server. */
  | { readonly kind: 'identity-tools'; readonly id: string; readonly serverKey: string }
  | { readonly kind: 'new-agent' }
  /** What is held of a server. */
  | { readonly kind: 'review-tools'; readonly serverKey: string }
  /** What servers are sorted by. */
  | { readonly kind: 'tags'; readonly keys: readonly string[] }
  | { readonly kind: 'backup' }
  /** A backup that was chosen, or why it cannot be used. */
  | {
      readonly kind: 'restore';
      readonly chosen?: NonNullable<IpcOutput<'app.chooseBackup'>['chosen']>;
      readonly problem?: Problem;
    }
  | { readonly kind: 'shortcuts' };

/** Asked before something that affects several things at once; each is named. */
export interface Question {
  readonly title: string;
  readonly text?: string;
  /** How it can be taken back; `You can undo this.` if not said. */
  readonly wayBack?: string;
  readonly parts: readonly { readonly name: string; readonly note: string }[];
  /** Says what the button does. */
  readonly yes: string;
  readonly onYes: () => void;
}

export interface ViewState {
  readonly place: Place;
  readonly dialog?: Dialog | undefined;
  /** Stands in front of a dialog. */
  readonly question?: Question | undefined;
  readonly palette: boolean;
  /** What stands in the palette's field, or will once that is there. */
  readonly paletteText: string;
}

export type ViewStore = StoreApi<ViewState>;

export function createViewStore(): ViewStore {
  return createStore<ViewState>(() => ({
    place: { view: 'servers', serverTab: 'overview' },
    palette: false,
    paletteText: '',
  }));
}

export function openDialog(store: ViewStore, dialog: Dialog): void {
  store.setState({ dialog, palette: false });
}

export function closeDialog(store: ViewStore): void {
  store.setState({ dialog: undefined });
}

export function ask(store: ViewStore, question: Question | undefined): void {
  store.setState({ question, palette: false });
}

export function setPalette(store: ViewStore, palette: boolean): void {
  // A palette that goes keeps its text for as long as it is seen.
  store.setState(palette ? { palette, paletteText: '' } : { palette });
}

export function setPaletteText(store: ViewStore, paletteText: string): void {
  store.setState({ paletteText });
}
