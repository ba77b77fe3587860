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

/** Identifies a tool by server and name. */
export interface ToolRef {
  readonly serverKey: string;
  readonly name: string;
}

/** The tester for a server, with its open item. */
export interface TestingPlace {
  readonly serverKey: string;
  readonly open?: Pick<TryTarget, 'kind' | 'name'>;
  readonly page?: 'checks';
}

/** Current location of the user. Each view keeps its selection while another view is open. */
export interface Place {
  readonly view: View;
  readonly serverKey?: string;
  readonly serverTab: ServerTab;
  readonly tool?: ToolRef;
  /** The tester, shown in front of the view. */
  readonly testing?: TestingPlace;
  readonly toolsPage?: ToolsPage;
  /** The skill whose tools are shown; `unclassified` for tools without one. */
  readonly skill?: string;
  readonly activityPage?: ActivityPage;
  readonly settingsPage?: SettingsPage;
  readonly clientsPage?: ClientsPage;
  /** The open profile. */
  readonly profile?: string;
}

/** Fields that were changed both in a draft and in the config file. */
export interface DraftConflict {
  readonly fields: readonly string[];
  /** The entry's text in the file, as shown to the user. */
  readonly theirs: string;
  /** Destination of the user when saving the draft. */
  readonly to?: Place | undefined;
}

/** Ways to add servers. */
export type AddMethod = 'form' | 'paste' | 'import';

/** Result of opening a link: servers to review, or why the link was rejected. */
export type LinkedImport = { readonly preview: ImportPreview } | { readonly problem: Problem };

/** Initial contents of the paste dialog; if empty, the clipboard is checked. */
export interface PasteStart {
  readonly text?: string;
  /** Paths of dropped files. */
  readonly files?: readonly string[];
  readonly from?: LinkedImport;
}

/** The open dialog; there is at most one. */
export type Dialog =
  | { readonly kind: 'add-server'; readonly how: AddMethod; readonly start?: PasteStart }
  | { readonly kind: 'leave-draft'; readonly to: Place }
  | { readonly kind: 'draft-conflict'; readonly conflict: DraftConflict }
  /** With a version, the app restarts as that version. */
  | { readonly kind: 'quit'; readonly plan: QuitPlan; readonly version?: string }
  /** `pickup` says what is left to do in the client once it is connected. */
  | {
      readonly kind: 'connect';
      readonly id: string;
      readonly title: string;
      readonly pickup: string;
      readonly isConnected: boolean;
    }
  | { readonly kind: 'connect-snippet'; readonly id: string; readonly title: string }
  /** A profile assigned to clients. */
  | { readonly kind: 'delete-profile'; readonly name: string }
  /** Details of a client. */
  | { readonly kind: 'client-detail'; readonly id: string; readonly page?: 'compact' }
  /** Access and grants of one identity. */
  | { readonly kind: 'identity'; readonly id: string }
  /** Access of one identity to the tools of one server. */
  | { readonly kind: 'identity-tools'; readonly id: string; readonly serverKey: string }
  | { readonly kind: 'new-agent' }
  /** Quarantined tools of a server. */
  | { readonly kind: 'review-tools'; readonly serverKey: string }
  /** Tags of servers. */
  | { readonly kind: 'tags'; readonly keys: readonly string[] }
  | { readonly kind: 'backup' }
  /** A chosen backup, or why it cannot be used. */
  | {
      readonly kind: 'restore';
      readonly chosen?: NonNullable<IpcOutput<'app.chooseBackup'>['chosen']>;
      readonly problem?: Problem;
    }
  | { readonly kind: 'shortcuts' };

/** A question before an action that affects several things; each is listed. */
export interface Question {
  readonly title: string;
  readonly text?: string;
  /** Says how to undo the action; `You can undo this.` by default. */
  readonly undoHint?: string;
  readonly parts: readonly { readonly name: string; readonly note: string }[];
  /** Label of the button. */
  readonly yes: string;
  readonly onYes: () => void;
}

export interface ViewState {
  readonly place: Place;
  readonly dialog?: Dialog | undefined;
  /** Shown in front of a dialog. */
  readonly question?: Question | undefined;
  readonly palette: boolean;
  /** Text of the palette's field, also before the field exists. */
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
  // A closing palette keeps its text while it is still visible.
  store.setState(palette ? { palette, paletteText: '' } : { palette });
}

export function setPaletteText(store: ViewStore, paletteText: string): void {
  store.setState({ paletteText });
}
