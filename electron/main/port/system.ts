import { clipboard, dialog, shell } from 'electron';
import { ProblemError, problem } from '../../../shared/error/problem.ts';
import type { SystemPort } from '../ipc/handler-context.ts';

/** Access to clipboard, browser and file manager. */
export function createSystem({
  quit,
  stay,
  closeWindow,
}: Pick<SystemPort, 'quit' | 'stay' | 'closeWindow'>): SystemPort {
  return {
    copyText: (text) => clipboard.writeText(text),
    readText: async () => clipboard.readText(),
    openLink: (url) => shell.openExternal(url),
    async openPath(path) {
      const reason = await shell.openPath(path);
      if (reason === '') return;
      const fix = 'Open it yourself; its location is below.';
      throw new ProblemError(
        problem('app.open_failed', `${path} could not be opened.`, fix, { path, reason }),
      );
    },
    async chooseFile(title, kind = 'file') {
      const { filePaths } = await dialog.showOpenDialog({
        title,
        properties: [kind === 'file' ? 'openFile' : 'openDirectory', 'showHiddenFiles'],
      });
      return filePaths[0];
    },
    async chooseTarget(title, name) {
      const { canceled, filePath } = await dialog.showSaveDialog({ title, defaultPath: name });
      return canceled || filePath === '' ? undefined : filePath;
    },
    quit,
    stay,
    closeWindow,
  };
}
