import type { Model } from '../store/model.ts';
import { closeDialog, openDialog } from '../store/view-store.ts';

/** Quits at once if nothing is interrupted; otherwise asks about the clients. */
export async function askToQuit(model: Model): Promise<void> {
  const answer = await model.link.call('app.quitPlan', undefined);
  if (!answer.ok) return model.notify.problem(answer.problem);
  const plan = answer.value;
  if (plan.clients.length + plan.calls.length === 0) await quitNow(model, 'now');
  else openDialog(model.view, { kind: 'quit', plan });
}

/** Starts quitting without asking; true if it has started. */
export async function quitNow(model: Model, how: 'now' | 'drain', stayOff = false): Promise<boolean> {
  const answer = await model.link.call('app.quit', stayOff ? { how, stayOff } : { how });
  if (!answer.ok) model.notify.problem(answer.problem);
  return answer.ok;
}

/** Keeps running and cancels a quit that has started. */
export async function cancelQuit(model: Model): Promise<void> {
  closeDialog(model.view);
  const answer = await model.link.call('app.stay', undefined);
  if (!answer.ok) model.notify.problem(answer.problem);
}

/** Closes the window; clients stay connected. */
export async function closeToTray(model: Model): Promise<void> {
  await cancelQuit(model);
  const answer = await model.link.call('app.closeWindow', undefined);
  if (!answer.ok) model.notify.problem(answer.problem);
}
