import type { OperationHandlers } from '../base/operation-handlers.ts';
import { tryEntry } from '../servers/listing/try-entry.ts';
import { checkHealth } from './health.ts';
import type { RunningHub } from './running-hub.ts';
import { serverNamed, signInLink, signInServer, toolDetail } from './view/views.ts';

export function serverOperations(hub: RunningHub) {
  const { commands, config, health, signIns, supervisor } = hub;
  const known = (key: string) => serverNamed(hub, key);
  return {
    'server.setEnabled': ({ key, enabled }) => config.setEnabled([key], enabled),
    'server.change': async ({ changes }) => ({ undoId: await config.changeMany(changes) }),
    'server.undoChange': ({ undoId }) => config.undoChange(undoId),
    'server.restart': ({ key }) => restartServer(hub, known(key).key),
    'server.sleep': ({ key }) => putToSleep(hub, known(key).key),
    'server.checkHealth': ({ key }) => checkHealth(hub, known(key)),
    'server.health': ({ key }) => ({ samples: health.history(known(key).key) }),
    'server.explainCommand': ({ key }) => commands.explain(key),
    'server.setCommand': ({ key, command }) => config.setCommand(key, command),
    'server.tryEntry': ({ key, text }) => tryEntry(hub, key, text),
    'server.forceUpdate': ({ key }) => supervisor.forceUpdate(known(key).key),
    'server.dismissUpdate': ({ key }) => supervisor.dismissUpdate(known(key).key),
    'environment.reload': async () => ({ changed: await commands.reloadEnvironment() }),
    'server.signIn': ({ key }) => signIns.signIn(signInServer(hub, key)),
    'server.signInLink': ({ key }) => ({ url: signInLink(hub, key) }),
    'server.signInUnopened': ({ key }) => signIns.browserNotOpened(key),
    'server.signOut': ({ key }) => signIns.signOut(signInServer(hub, key)),
    'server.add': ({ servers }) => config.add(servers),
    'server.update': ({ key, entry, newKey }) => config.update(key, entry, newKey),
    'server.duplicate': async ({ key }) => ({ key: await config.duplicate(key) }),
    'server.remove': async ({ key }) => ({ undoId: await config.remove(key) }),
    'server.undoRemove': ({ undoId }) => config.undoRemove(undoId),
    'server.entry': async ({ key }) => {
      const { text, entry } = await config.entry(key);
      return { text, entry: { ...entry } };
    },
    'server.saveText': (save) => config.saveText(save),
    'server.validate': ({ key, text, originalKey }) => {
      const { issues, entry } = config.validate(key, text, originalKey);
      return { issues, ...(entry === undefined ? {} : { entry: { ...entry } }) };
    },
    'server.log': ({ key }) => ({ lines: known(key).log.lines }),
    'server.clearLog': ({ key }) => known(key).log.clear(),
    'config.restore': async () => ({ undoId: await config.restoreGood() }),
    'config.undoRestore': ({ undoId }) => config.undoRestore(undoId),
    'tool.get': ({ serverKey, name }) => toolDetail(hub, serverKey, name),
    'tool.setEnabled': ({ serverKey, names, enabled }) => config.setToolsEnabled(serverKey, names, enabled),
  } satisfies Partial<OperationHandlers>;
}

/** Restarts a server at a person's request: open circuits and the backoff are reset. */
export async function restartServer(
  { resilience, commands, supervisor }: Pick<RunningHub, 'resilience' | 'commands' | 'supervisor'>,
  key: string,
): Promise<void> {
  resilience.circuits.reset(key);
  await commands.refreshIfMissing(key);
  supervisor.restart(key);
}

async function putToSleep({ sleepSavings, supervisor }: RunningHub, key: string): Promise<void> {
  await sleepSavings.measure(key);
  supervisor.sleep(key);
}
