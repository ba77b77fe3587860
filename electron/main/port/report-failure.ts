import { dialog } from 'electron';
import type { Problem } from '../../../shared/error/problem.ts';

/** Shows the failure of an action from outside the window. */
export function reportFailure({ sentence, fix, code }: Problem): void {
  void dialog.showMessageBox({
    type: 'error',
    title: 'Patchbay',
    message: sentence,
    detail: `${fix}\n\n${code}`,
    buttons: ['Close'],
    noLink: true,
  });
}
