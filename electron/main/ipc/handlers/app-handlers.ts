import { quitPlan } from '../../lifecycle/quit-plan.ts';
import { openExternal, signInByBrowser } from '../../window/open-external.ts';
import type { ShellHandlers } from '../dispatcher.ts';
import type { HandlerContext } from '../handler-context.ts';

/** Handles the calls of `app-calls.ts`, in the same order. */
export function appHandlers(context: HandlerContext) {
  const { hub: run, system, settings } = context;
  return {
    'state.get': async () => {
      // Waits for the start, which is quick, so that the window shows no empty list first.
      await run.settled(maxStartWaitMs);
      const state = {
        hub: run.view(),
        servers: run.running?.servers() ?? [],
        tools: run.running?.tools() ?? [],
        clients: run.running?.clients() ?? [],
        settings: settings(),
      };
      context.onStateSent();
      return state;
    },
    'settings.set': (patch) => context.changeSettings(patch),
    'app.copyConnection': ({ what }) => context.copyConnection(what),
    'app.copyText': ({ text }) => system.copyText(text),
    'app.openExternal': ({ url }) => openExternal(url, system),
    'app.openDataFolder': () => system.openPath(run.view().dataDir),
    'app.openConfigFile': () => system.openPath(run.view().configFile),
    'app.signIn': async ({ key }) => {
      await signInByBrowser(run.hub, system, key);
    },
    'app.copySignInLink': async ({ key }) =>
      system.copyText((await run.hub.run('server.signInLink', { key })).url),
    'app.takeOver': () => context.takeOver(),
    'app.quitPlan': () => quitPlan(run.running),
    'app.quit': ({ how, stayOff = false }) => system.quit(how, stayOff),
    'app.stay': () => system.stay(),
    'app.closeWindow': () => system.closeWindow(),
  } satisfies Partial<ShellHandlers>;
}

const maxStartWaitMs = 2_000;
