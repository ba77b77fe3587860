import { createStore, type StoreApi } from 'zustand/vanilla';

/** A removal that can be taken back. */
export interface Removal {
  readonly undoId: string;
  readonly key: string;
}

export type UndoStore = StoreApi<{ readonly removals: readonly Removal[] }>;

export function createUndoStore(): UndoStore {
  return createStore(() => ({ removals: [] as readonly Removal[] }));
}

export function pushRemoval(store: UndoStore, removal: Removal): void {
  store.setState(({ removals }) => ({ removals: [...removals, removal] }));
}

/** Takes a removal out of the list, the newest one unless an id is given; undefined when there is none. */
export function takeRemoval(store: UndoStore, undoId?: string): Removal | undefined {
  const { removals } = store.getState();
  const taken = undoId === undefined ? removals.at(-1) : removals.find((one) => one.undoId === undoId);
  store.setState({ removals: removals.filter((one) => one !== taken) });
  return taken;
}
