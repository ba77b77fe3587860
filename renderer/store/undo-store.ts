import { createStore, type StoreApi } from 'zustand/vanilla';

/** Something that was done and can be taken back. */
export interface UndoStep {
  readonly id: string;
  readonly undo: () => void;
}

export type UndoStore = StoreApi<{ readonly steps: readonly UndoStep[] }>;

export function createUndoStore(): UndoStore {
  return createStore(() => ({ steps: [] as readonly UndoStep[] }));
}

/** The newest comes last; one with the same id is replaced. */
export function pushUndo(store: UndoStore, step: UndoStep): void {
  store.setState(({ steps }) => ({
    steps: [...steps.filter(({ id }) => id !== step.id), step].slice(-mostSteps),
  }));
}

/** Takes a step out of the list, the newest one unless an id is given; undefined when there is none. */
export function takeUndo(store: UndoStore, id?: string): UndoStep | undefined {
  const { steps } = store.getState();
  const taken = id === undefined ? steps.at(-1) : steps.find((step) => step.id === id);
  store.setState({ steps: steps.filter((step) => step !== taken) });
  return taken;
}

const mostSteps = 50;
