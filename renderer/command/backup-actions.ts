import type { IpcOutput } from '../../shared/ipc/contract.ts';
import { formatCount } from '../lib/format-amount.ts';
import type { Model } from '../store/model.ts';
import { openDialog } from '../store/view-store.ts';
import { dropUndo, offerUndo } from './undo-actions.ts';

type Restored = IpcOutput<'app.restoreBackup'>;

/** Asks for a backup file and shows its contents, or why it cannot be used. */
export async function chooseBackup(model: Model): Promise<void> {
  const answer = await model.link.call('app.chooseBackup', undefined);
  if (!answer.ok) return openDialog(model.view, { kind: 'restore', problem: answer.problem });
  const { chosen } = answer.value;
  if (chosen !== undefined) openDialog(model.view, { kind: 'restore', chosen });
}

/** Reports the restore; it can be undone until the setup changes. */
export function notifyRestored(model: Model, { undoId, servers, kept }: Restored): void {
  const message = [`Backup restored: ${formatCount(servers, 'server')}.`, ...kept].join(' ');
  offerUndo(model, undoId, message, () => void undoRestore(model, undoId));
}

/** Restores the setup from before the restore; true if it succeeded. */
export async function undoRestore(model: Model, undoId: string): Promise<boolean> {
  dropUndo(model, undoId);
  const undone = await model.link.call('backup.undo', { undoId });
  if (undone.ok) model.notify.done('Your previous setup is back.');
  else model.notify.problem(undone.problem);
  return undone.ok;
}
