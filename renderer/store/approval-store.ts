import { createStore, type StoreApi } from 'zustand/vanilla';

/** The panel of calls that wait: which one is open in it, and how much of it is shown. */
export interface ApprovalState {
  /** The first one unless another was chosen. */
  readonly openId?: string | undefined;
  /** Only a line, with the calls waiting on. */
  readonly folded: boolean;
  /** The person wants to be taken to the panel; over once they are. */
  readonly wanted: boolean;
  /** Something is open in front of the panel: its calls are shown in front of that. */
  readonly inFront: boolean;
  /** Ids that were answered in this window. */
  readonly answered: ReadonlySet<string>;
}

export type ApprovalStore = StoreApi<ApprovalState>;

export function createApprovalStore(): ApprovalStore {
  return createStore<ApprovalState>(() => ({
    folded: false,
    wanted: false,
    inFront: false,
    answered: new Set(),
  }));
}

export function noteAnswered(store: ApprovalStore, id: string, isAnswered: boolean): void {
  store.setState(({ answered }) => {
    const next = new Set(answered);
    if (isAnswered) next.add(id);
    else next.delete(id);
    return { answered: next };
  });
}
