import type { Model } from '../store/model.ts';
import { openDialog } from '../store/view-store.ts';

/** What comes of it shows on the page about the app. */
export async function checkForUpdates({ link, notify }: Model): Promise<void> {
  const answer = await link.call('update.check', undefined);
  if (!answer.ok) notify.problem(answer.problem);
}

export async function downloadUpdate({ link, notify }: Model): Promise<void> {
  const answer = await link.call('update.download', undefined);
  if (!answer.ok) notify.problem(answer.problem);
}

export async function cancelDownload({ link, notify }: Model): Promise<void> {
  const answer = await link.call('update.cancelDownload', undefined);
  if (!answer.ok) notify.problem(answer.problem);
}

/** Installs at once where that cuts nobody off; else asks what is to become of the clients. */
export async function askToInstall(model: Model, version: string): Promise<void> {
  const answer = await model.link.call('app.quitPlan', undefined);
  if (!answer.ok) return model.notify.problem(answer.problem);
  const plan = answer.value;
  if (plan.clients.length + plan.calls.length === 0) await installUpdate(model, 'now');
  else openDialog(model.view, { kind: 'quit', plan, version });
}

/** Begins the end without asking; true when it is on its way. */
export async function installUpdate({ link, notify }: Model, how: 'now' | 'drain'): Promise<boolean> {
  const answer = await link.call('update.install', { how });
  if (!answer.ok) notify.problem(answer.problem);
  return answer.ok;
}
