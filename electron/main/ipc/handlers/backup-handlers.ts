import { ProblemError, problem } from '../../../../shared/error/problem.ts';
import { defaultBackupName } from '../../../../shared/model/hub/backup.ts';
import { readBackupText, unsavedFile, writePrivateFile } from '../../../engine/engine.ts';
import type { ShellHandlers } from '../dispatcher.ts';
import type { HandlerContext } from '../handler-context.ts';

/** Handles the calls about backups. The content of a backup stays in this process. */
export function backupHandlers({ hub: run, system }: HandlerContext) {
  let chosen: { readonly id: string; readonly text: string } | undefined;
  let count = 0;
  return {
    'app.saveBackup': async (options) => {
      const { text, ...made } = await run.hub.run('backup.make', options);
      const file = await system.chooseTarget('Save the backup', defaultBackupName(new Date()));
      if (file === undefined) return {};
      await writePrivateFile(file, text).catch((error: unknown) => {
        throw unsavedFile(file, error);
      });
      return { ...made, file };
    },
    'app.chooseBackup': async () => {
      // No dialog opens before the hub runs.
      const { hub } = run;
      const file = await system.chooseFile('Choose a backup');
      if (file === undefined) return {};
      const text = await readBackupText(file);
      const preview = await hub.run('backup.preview', { text });
      count += 1;
      chosen = { id: String(count), text };
      return { chosen: { id: chosen.id, file, preview } };
    },
    'app.restoreBackup': async ({ id, ...options }) => {
      if (chosen?.id !== id) throw new ProblemError(otherFile());
      const restored = await run.hub.run('backup.restore', { text: chosen.text, ...options });
      chosen = undefined;
      return restored;
    },
  } satisfies Partial<ShellHandlers>;
}

function otherFile() {
  const sentence = 'Another backup has been opened since.';
  return problem('backup.unreadable', sentence, 'Choose the backup again.');
}
