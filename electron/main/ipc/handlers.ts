import type { QuitPlan } from '../../../shared/model/call.ts';
import type { Settings, SettingsPatch } from '../../../shared/schema/settings.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ConnectionKind } from '../command/connection-text.ts';
import type { HubRun } from '../lifecycle/hub-run.ts';
import { openExternal } from '../window/open-external.ts';
import type { IpcHandlers } from './dispatcher.ts';
import type { WatchList } from './watch-list.ts';

/** What the handlers need of the system. */
export interface SystemPort {
  copyText(text: string): void;
  openLink(url: string): Promise<void>;
  /** Opens a file or folder with the program the person uses for it. */
  openPath(path: string): Promise<void>;
  quit(how: 'now' | 'drain'): void;
  closeWindow(): void;
}

export interface HandlerContext {
  readonly engine: Engine;
  readonly hub: Pick<HubRun, 'view' | 'settled'>;
  readonly settings: () => Settings;
  readonly changeSettings: (patch: SettingsPatch) => Promise<Settings>;
  readonly watches: WatchList;
  readonly copyConnection: (what: ConnectionKind) => void;
  readonly system: SystemPort;
  /** The window holds the whole state from now on and can be sent changes. */
  readonly onStateTaken: () => void;
}

/** One handler a row of the contract table, in its order. */
export function createHandlers(context: HandlerContext): IpcHandlers {
  return { ...stateHandlers(context), ...serverHandlers(context), ...appHandlers(context) };
}

function stateHandlers({ engine, hub, settings, watches, onStateTaken, ...context }: HandlerContext) {
  return {
    'state.get': async () => {
      // The start is quick; waiting for it spares the window the sight of an empty list.
      await hub.settled(longestStartWait);
      const state = {
        hub: hub.view(),
        servers: engine.servers(),
        tools: engine.tools(),
        clients: engine.clients(),
        settings: settings(),
      };
      onStateTaken();
      return state;
    },
    'settings.set': (patch) => context.changeSettings(patch),
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
  } satisfies Partial<IpcHandlers>;
}

function serverHandlers({ engine, system }: HandlerContext) {
  const allKeys = () => engine.servers().map(({ key }) => key);
  return {
    'server.setEnabled': ({ key, enabled }) => engine.setEnabled([key], enabled),
    'server.setAllEnabled': ({ enabled }) => engine.setEnabled(allKeys(), enabled),
    'server.restart': ({ key }) => engine.restart(key),
    'server.sleep': ({ key }) => engine.sleep(key),
    'server.checkHealth': ({ key }) => engine.checkHealth(key),
    'server.explainCommand': ({ key }) => engine.explainCommand(key),
    'server.setCommand': ({ key, command }) => engine.setCommand(key, command),
    'server.tryEntry': ({ key, text }) => engine.tryEntry(key, text),
    'server.forceUpdate': ({ key }) => engine.forceUpdate(key),
    'server.dismissUpdate': ({ key }) => engine.dismissUpdate(key),
    'environment.reload': async () => ({ changed: await engine.reloadEnvironment() }),
    'server.signIn': async ({ key }) => openExternal((await engine.signIn(key)).url, system),
    'server.signOut': ({ key }) => engine.signOut(key),
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
    'server.parsePaste': ({ text }) => engine.parsePaste(text),
    'tool.get': ({ serverKey, name }) => engine.tool(serverKey, name),
    'tool.setEnabled': ({ serverKey, names, enabled }) => engine.setToolsEnabled(serverKey, names, enabled),
  } satisfies Partial<IpcHandlers>;
}

function appHandlers({ engine, system, copyConnection }: HandlerContext) {
  return {
    'app.copyConnection': ({ what }) => copyConnection(what),
    'app.copyText': ({ text }) => system.copyText(text),
    'app.openExternal': ({ url }) => openExternal(url, system),
    'app.openDataFolder': () => system.openPath(engine.hub().dataDir),
    'app.openConfigFile': () => system.openPath(engine.hub().configFile),
    'app.quitPlan': () => quitPlan(engine),
    'app.quit': ({ how }) => system.quit(how),
    'app.closeWindow': () => system.closeWindow(),
  } satisfies Partial<IpcHandlers>;
}

function quitPlan(engine: Engine): QuitPlan {
  const clients = engine.clients().map(({ id, name, lastActiveAt }) => ({ id, name, lastActiveAt }));
  return { clients, calls: engine.activeCalls() };
}

const longestStartWait = 2_000;
