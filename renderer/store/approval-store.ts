import { createStore, type StoreApi } from 'zustand/vanilla';

/** State of the panel of waiting calls. */
export interface ApprovalState {
  /** The open call; the first one unless another was chosen. */
  readonly openId?: string | undefined;
  /** True if the panel is collapsed to a line while calls keep waiting. */
  readonly folded: boolean;
  /** True until the focus has been moved to the panel, after the user asked for it. */
  readonly wanted: boolean;
  /** True if a dialog is open in front of the panel, so that its calls are shown above that. */
  readonly inFront: boolean;
  /** Ids of calls answered in this window. */
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
