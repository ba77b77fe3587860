import { quitPlan } from '../lifecycle/quit-plan.ts';
import { openExternal } from '../window/open-external.ts';
import type { IpcHandlers } from './dispatcher.ts';
import type { HandlerContext } from './handlers.ts';

/** Handles the calls of `app-calls.ts`, in the same order. */
export function appHandlers(context: HandlerContext) {
  const { engine, system, hub, settings } = context;
  return {
    'state.get': async () => {
      // The start is quick; waiting for it keeps the window from showing an empty list first.
      await hub.settled(longestStartWait);
      const state = {
        hub: hub.view(),
        servers: engine.servers(),
        tools: engine.tools(),
        clients: engine.clients(),
        settings: settings(),
      };
      context.onStateTaken();
      return state;
    },
    'settings.set': (patch) => context.changeSettings(patch),
    'app.copyConnection': ({ what }) => context.copyConnection(what),
    'app.copyText': ({ text }) => system.copyText(text),
    'app.openExternal': ({ url }) => openExternal(url, system),
    'app.openDataFolder': () => system.openPath(engine.hub().dataDir),
    'app.openConfigFile': () => system.openPath(engine.hub().configFile),
    'app.restoreConfig': async () => ({ undoId: await engine.restoreConfig() }),
    'app.undoRestoreConfig': ({ undoId }) => engine.undoRestoreConfig(undoId),
    'app.takeOver': () => context.takeOver(),
    'app.quitPlan': () => quitPlan(engine),
    'app.quit': ({ how, stayOff = false }) => system.quit(how, stayOff),
    'app.stay': () => system.stay(),
    'app.closeWindow': () => system.closeWindow(),
  } satisfies Partial<IpcHandlers>;
}

const longestStartWait = 2_000;
