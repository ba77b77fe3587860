import { createStore, type StoreApi } from 'zustand/vanilla';

/** An action that can be undone. */
export interface UndoStep {
  readonly id: string;
  readonly undo: () => void;
}

export type UndoStore = StoreApi<{ readonly steps: readonly UndoStep[] }>;

export function createUndoStore(): UndoStore {
  return createStore(() => ({ steps: [] as readonly UndoStep[] }));
}

/** Adds a step as the newest; replaces one with the same id. */
export function pushUndo(store: UndoStore, step: UndoStep): void {
  store.setState(({ steps }) => ({
    steps: [...steps.filter(({ id }) => id !== step.id), step].slice(-maxSteps),
  }));
}

/** Removes and returns the newest step, or the one with the given id; undefined if there is none. */
export function takeUndo(store: UndoStore, id?: string): UndoStep | undefined {
  const { steps } = store.getState();
  const taken = id === undefined ? steps.at(-1) : steps.find((step) => step.id === id);
  store.setState({ steps: steps.filter((step) => step !== taken) });
  return taken;
}

const maxSteps = 50;
