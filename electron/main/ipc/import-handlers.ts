import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `import-calls.ts`, in the same order. */
export function importHandlers({ engine: { imports }, system }: HandlerContext) {
  return {
    'import.readApps': ({ client }) => imports.readApps(client),
    'import.parse': ({ text }) => imports.parse(text),
    'import.readFiles': ({ files }) => imports.readFiles(files),
    'import.clipboard': async () => {
      const text = await system.readText();
      if (text.trim() === '' || text.length > longestClip) return {};
      const { session, entries } = await imports.parse(text);
      imports.close(session);
      return entries.length === 0 ? {} : { text };
    },
    'import.openFile': async () => {
      const file = await system.chooseFile('Choose a config, a README or a bundle');
      return file === undefined ? {} : { preview: await imports.readFiles([file]) };
    },
    'import.choosePath': async ({ kind, title }) => {
      const path = await system.chooseFile(title, kind);
      return path === undefined ? {} : { path };
    },
    'import.add': (choices) => imports.add(choices),
    'import.previewMove': async (wish) => ({ apps: await imports.previewMove(wish) }),
    'import.move': (wish) => imports.move(wish),
    'import.undo': ({ undoId }) => imports.undo(undoId),
    'import.close': ({ session }) => imports.close(session),
  } satisfies Partial<IpcHandlers>;
}

/** Maximum length in characters; a longer text was not copied to be pasted here. */
const longestClip = 200_000;
