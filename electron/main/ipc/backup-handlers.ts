import { ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import { backupName } from '../../../shared/model/backup.ts';
import { readBackupText, writePrivateFile } from '../../engine/engine.ts';
import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/**
 * Handles the calls of `backup-calls.ts`, in the same order. The contents of a backup never reach the window.
 */
export function backupHandlers({ engine: { backup }, system }: HandlerContext) {
  let chosen: { readonly id: string; readonly text: string } | undefined;
  let count = 0;
  return {
    'backup.make': async (options) => {
      const { text, ...made } = await backup.make(options);
      const file = await system.chooseTarget('Save the backup', backupName(new Date()));
      if (file === undefined) return {};
      await writePrivateFile(file, text).catch((error: unknown) => {
        throw new ProblemError(unsaved(file, toProblem(error).sentence));
      });
      return { ...made, file };
    },
    'backup.choose': async () => {
      const file = await system.chooseFile('Choose a backup');
      if (file === undefined) return {};
      const text = await readBackupText(file);
      const preview = await backup.preview(text);
      count += 1;
      chosen = { id: String(count), text };
      return { chosen: { id: chosen.id, file, preview } };
    },
    'backup.restore': async ({ id, ...options }) => {
      if (chosen?.id !== id) throw new ProblemError(otherFile());
      const restored = await backup.restore(chosen.text, options);
      chosen = undefined;
      return restored;
    },
    'backup.undo': ({ undoId }) => backup.undo(undoId),
  } satisfies Partial<IpcHandlers>;
}

function unsaved(file: string, reason: string) {
  const sentence = `${file} could not be written.`;
  return problem('app.save_failed', sentence, 'Choose another folder, or free some space.', { file, reason });
}

function otherFile() {
  const sentence = 'Another backup has been opened since.';
  return problem('backup.unreadable', sentence, 'Choose the backup again.');
}
