import type { Model } from '../../store/model.ts';
import { openDialog } from '../../store/view-store.ts';

/** Checks for updates; the About page shows the result. */
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

/** Installs at once if nothing is interrupted; otherwise asks about the clients. */
export async function askToInstall(model: Model, version: string): Promise<void> {
  const answer = await model.link.call('app.quitPlan', undefined);
  if (!answer.ok) return model.notify.problem(answer.problem);
  const plan = answer.value;
  if (plan.clients.length + plan.calls.length === 0) await installUpdate(model, 'now');
  else openDialog(model.view, { kind: 'quit', plan, version });
}

/** Starts the installation without asking; true if it has started. */
export async function installUpdate({ link, notify }: Model, how: 'now' | 'drain'): Promise<boolean> {
  const answer = await link.call('update.install', { how });
  if (!answer.ok) notify.problem(answer.problem);
  return answer.ok;
}
