import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../shared/error/problem.ts';
import type { IpcAnswer, IpcCallName, IpcEvent, IpcEventName, IpcInput } from '../../shared/ipc/contract.ts';
import { type ActivityStore, createActivityStore } from './activity-store.ts';
import { type Announcer, createAnnouncer } from './announcer.ts';
import { type ApprovalStore, createApprovalStore } from './approval-store.ts';
import { createDraftStore, type DraftStore } from './draft-store.ts';
import { createExplainStore, type ExplainStore } from './explain-store.ts';
import { createMirrors, type Mirrors } from './mirror-store.ts';
import { createPendingChangeStore, type PendingChangeStore } from './pending-change-store.ts';
import { createTesterStore, type TesterStore } from './tester-store.ts';
import type { Ticker } from './ticker.ts';
import { createUndoStore, type UndoStore } from './undo-store.ts';
import { createViewStore, type ViewStore } from './view-store.ts';

/** The window's access to the engine. A call never rejects: failures are returned as problems. */
export interface HubLink {
  call<N extends IpcCallName>(name: N, input: IpcInput<N>): Promise<IpcAnswer<N>>;
  on<N extends IpcEventName>(name: N, listener: (event: IpcEvent<N>) => void): () => void;
}

/** Short messages that disappear by themselves. */
export interface Notifier {
  done(message: string): void;
  problem(problem: Problem): void;
  /** Offers an undo for about ten seconds. `id` closes the message if it was undone another way. */
  undoable(id: string, message: string, undo: () => void): void;
  close(id: string): void;
}

/** All parts of the window without React: created once by the entry file, and once per test. */
export interface Model {
  readonly link: HubLink;
  readonly notify: Notifier;
  readonly ticker: Ticker;
  readonly now: () => number;
  readonly mac: boolean;
  readonly mirrors: Mirrors;
  readonly linkState: LinkStore;
  readonly view: ViewStore;
  readonly pendingServerSwitches: PendingChangeStore;
  readonly pendingToolSwitches: PendingChangeStore;
  readonly draft: DraftStore;
  readonly approval: ApprovalStore;
  readonly activity: ActivityStore;
  readonly undo: UndoStore;
  readonly announcer: Announcer;
  readonly explaining: ExplainStore;
  readonly tester: TesterStore;
}

export type ModelPorts = Pick<Model, 'link' | 'notify' | 'ticker' | 'now' | 'mac'>;

export function createModel(ports: ModelPorts): Model {
  return {
    ...ports,
    mirrors: createMirrors(),
    linkState: createLinkStore(),
    view: createViewStore(),
    pendingServerSwitches: createPendingChangeStore(),
    pendingToolSwitches: createPendingChangeStore(),
    draft: createDraftStore(),
    approval: createApprovalStore(),
    activity: createActivityStore(),
    undo: createUndoStore(),
    announcer: createAnnouncer(),
    explaining: createExplainStore(),
    tester: createTesterStore(),
  };
}

/** The window's connection to the engine. */
type LinkState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready' }
  | { readonly kind: 'lost'; readonly problem: Problem };

type LinkStore = StoreApi<{ readonly state: LinkState }>;

function createLinkStore(): LinkStore {
  return createStore(() => ({ state: { kind: 'loading' } as LinkState }));
}
