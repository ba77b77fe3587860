import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `connect-calls.ts`, in the same order. */
export function connectHandlers({ engine, system }: HandlerContext) {
  const { connect, access } = engine;
  return {
    'connect.list': async () => ({ clients: await connect.list() }),
    'connect.locate': async ({ id }) => {
      const file = await system.chooseFile('Choose the config file');
      if (file === undefined) return { chosen: false };
      await connect.setFile(id, file);
      return { chosen: true };
    },
    'connect.forgetFile': ({ id }) => connect.setFile(id, undefined),
    'connect.preview': ({ id }) => connect.preview(id),
    'connect.apply': async ({ id, previewId }) => {
      const files = await connect.apply(id, previewId);
      // A connected client should work at once; if this fails, access is set up when the client first
      // connects.
      await access.clientConnected(id).catch(() => undefined);
      return { files };
    },
    'connect.prove': ({ id }) => connect.prove(id),
    'connect.quitClient': async ({ id }) => ({ quit: await connect.quitClient(id) }),
    'connect.undo': async ({ id }) => ({ files: await connect.undo(id) }),
    'connect.accept': ({ id }) => connect.accept(id),
    'connect.journal': async () => ({ records: await connect.journal() }),
    'connect.snippet': async (wish) => (await connect.snippet(wish)).shown,
    'connect.copySnippet': async (wish) => system.copyText((await connect.snippet(wish)).whole),
    'connect.openBundle': async () => system.openPath(await connect.bundleFile()),
  } satisfies Partial<IpcHandlers>;
}
