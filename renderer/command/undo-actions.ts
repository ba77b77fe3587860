import type { Model } from '../store/model.ts';
import { pushUndo, takeUndo } from '../store/undo-store.ts';

/** Offers an undo: in a message for some seconds, and by keyboard for as long as the window is open. */
export function offerUndo(model: Model, id: string, message: string, undo: () => void): void {
  pushUndo(model.undo, { id, undo });
  model.notify.close(id);
  model.notify.undoable(id, message, () => runUndo(model, id));
}

/** Undoes the newest step, or the one with the given id. */
export function runUndo(model: Model, id?: string): void {
  const step = takeUndo(model.undo, id);
  if (step === undefined) return;
  model.notify.close(step.id);
  step.undo();
}

/** Withdraws an undo offer that was used elsewhere. */
export function dropUndo(model: Model, id: string): void {
  if (takeUndo(model.undo, id) !== undefined) model.notify.close(id);
}
