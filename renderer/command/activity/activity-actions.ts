import type { ActivityFilter, ActivityFormat } from '../../../shared/model/activity/activity.ts';
import { formatCount } from '../../lib/text/format-amount.ts';
import type { Model } from '../../store/model.ts';
import { saveSettings } from '../app/app-actions.ts';
import { offerUndo } from '../undo-actions.ts';

/** Clears all activity without asking, since it can be undone. True if it was cleared. */
export async function clearActivity(model: Model): Promise<boolean> {
  const answer = await model.link.call('activity.clear', undefined);
  if (!answer.ok) {
    model.notify.problem(answer.problem);
    return false;
  }
  const { undoId } = answer.value;
  model.activity.setState(({ turn }) => ({ turn: turn + 1 }));
  offerUndo(model, undoId, 'Activity cleared.', () => void undoClear(model, undoId));
  return true;
}

async function undoClear(model: Model, undoId: string): Promise<void> {
  const answer = await model.link.call('activity.undoClear', { undoId });
  if (!answer.ok) return model.notify.problem(answer.problem);
  model.activity.setState(({ turn }) => ({ turn: turn + 1 }));
  model.notify.done(answer.value.undone ? 'Activity restored.' : 'Too late to undo: the activity is gone.');
}

/** Opens a save dialog and exports the filtered activity. */
export async function exportActivity(
  model: Model,
  filter: ActivityFilter,
  format: ActivityFormat,
): Promise<void> {
  const answer = await model.link.call('activity.export', { filter, format });
  if (!answer.ok) return model.notify.problem(answer.problem);
  const { saved, rows } = answer.value;
  if (saved) model.notify.done(`${formatCount(rows, 'entry', 'entries')} exported.`);
}

export async function recordActivity(model: Model, on: boolean): Promise<void> {
  const problem = await saveSettings(model, { recordActivity: on });
  if (problem !== undefined) model.notify.problem(problem);
}

/** Stops an active call; its client is notified. */
export async function stopCall({ link, notify }: Model, id: number): Promise<void> {
  const answer = await link.call('activity.stop', { id });
  if (!answer.ok) return notify.problem(answer.problem);
  if (answer.value.stopped) notify.done('The call was cancelled, and its client was notified.');
  else notify.done('This call cannot be cancelled here: it has ended or belongs to the tester.');
}
