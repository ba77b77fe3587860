import { signInByBrowser } from '../window/open-external.ts';
import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `server-calls.ts` and `tool-calls.ts`, in the same order. */
export function serverHandlers({ engine, system, watches }: HandlerContext) {
  return {
    'server.setEnabled': ({ key, enabled }) => engine.setEnabled([key], enabled),
    'server.change': async ({ changes }) => ({ undoId: await engine.changeMany(changes) }),
    'server.undoChange': ({ undoId }) => engine.undoChange(undoId),
    'server.restart': ({ key }) => engine.restart(key),
    'server.sleep': ({ key }) => engine.sleep(key),
    'server.checkHealth': ({ key }) => engine.checkHealth(key),
    'server.explainCommand': ({ key }) => engine.explainCommand(key),
    'server.setCommand': ({ key, command }) => engine.setCommand(key, command),
    'server.tryEntry': ({ key, text }) => engine.tryEntry(key, text),
    'server.forceUpdate': ({ key }) => engine.forceUpdate(key),
    'server.dismissUpdate': ({ key }) => engine.dismissUpdate(key),
    'environment.reload': async () => ({ changed: await engine.reloadEnvironment() }),
    'server.signIn': async ({ key }) => {
      await signInByBrowser(engine, system, key);
    },
    'server.copySignInLink': async ({ key }) => system.copyText(await engine.signInLink(key)),
    'server.signOut': ({ key }) => engine.signOut(key),
    'server.enterValue': ({ key, place, value }) => engine.values.enter(key, place, value),
    'server.setSignInClient': ({ key, client }) => engine.values.setClient(key, client),
    'server.undoEntered': ({ undoId }) => engine.values.undo(undoId),
    'server.add': ({ servers }) => engine.add(servers),
    'server.update': ({ key, entry, newKey }) => engine.update(key, entry, newKey),
    'server.duplicate': async ({ key }) => ({ key: await engine.duplicate(key) }),
    'server.remove': async ({ key }) => ({ undoId: await engine.remove(key) }),
    'server.undoRemove': ({ undoId }) => engine.undoRemove(undoId),
    'server.entry': ({ key }) => engine.entry(key),
    'server.saveText': (save) => engine.saveText(save),
    'server.validate': ({ key, text, originalKey }) => {
      const { issues, entry } = engine.validate(key, text, originalKey);
      return { issues, ...(entry === undefined ? {} : { entry: { ...entry } }) };
    },
    'server.watchLog': ({ key }) => {
      watches.watchLog(key);
      return { lines: engine.log(key) };
    },
    'server.unwatchLog': ({ key }) => watches.unwatchLog(key),
    'server.clearLog': ({ key }) => engine.clearLog(key),
    'server.watchHealth': ({ key }) => {
      watches.watchHealth(key);
      return { samples: engine.health(key) };
    },
    'server.unwatchHealth': ({ key }) => watches.unwatchHealth(key),
    'process.watch': ({ on }) => watches.watchUsage(on),
    'tool.get': ({ serverKey, name }) => engine.tool(serverKey, name),
    'tool.setEnabled': ({ serverKey, names, enabled }) => engine.setToolsEnabled(serverKey, names, enabled),
  } satisfies Partial<IpcHandlers>;
}
