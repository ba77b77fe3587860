import { type Problem, ProblemError, problem, toProblem } from '../../shared/error/problem.ts';
import type { ClientView } from '../../shared/model/client.ts';
import { delay, systemClock } from './base/clock.ts';
import { Emitter } from './base/emitter.ts';
import type { ConfigState } from './config/contract.ts';
import { createAccessEngine } from './hub/access/access-engine.ts';
import { createActivityEngine } from './hub/activity.ts';
import { Actor } from './hub/audit/actor.ts';
import { createAuditEngine } from './hub/audit/audit-engine.ts';
import { noteAccess, noteHappening } from './hub/audit/follow.ts';
import { withNotedOperations } from './hub/audit/operations.ts';
import { restoreSettings } from './hub/backup/restore-settings.ts';
import { HubChecks } from './hub/checks.ts';
import { createClientTruthEngine } from './hub/client-truth/client-truth.ts';
import { createHubConnector } from './hub/connect.ts';
import type { Engine, EngineConfig, EnginePorts } from './hub/contract.ts';
import { createValuesEngine } from './hub/enter-value.ts';
import { createFeeds } from './hub/feeds.ts';
import { createGuardEngine } from './hub/guard/guard-engine.ts';
import { checkHealth, wakeUp } from './hub/health.ts';
import { createImportEngine } from './hub/import.ts';
import { createLimitsEngine, Limits } from './hub/limits/limits.ts';
import { createProfilesEngine } from './hub/profiles/profiles-engine.ts';
import { Rest } from './hub/rest/rest.ts';
import { type HubListener, type RunningHub, startHub } from './hub/running-hub.ts';
import { createSearchEngine } from './hub/search/search-engine.ts';
import { createSecretsEngine } from './hub/secrets.ts';
import { putToSleep, restartServer } from './hub/server-wishes.ts';
import { createSupportEngine } from './hub/support/support-engine.ts';
import { HubTester } from './hub/tester.ts';
import { tryEntry } from './hub/trial.ts';
import * as views from './hub/views.ts';
import { dataPaths } from './store/data-dir.ts';
import { createUsageSampler } from './supervise/process-usage.ts';

export { keptActivity } from './activity/kept-activity.ts';
export type { Logger } from './base/logger.ts';
export { redactProblem } from './base/redact-problem.ts';
export type { Connector } from './clients/contract.ts';
export type { BridgeProgram } from './clients/launcher/launcher.ts';
export { offlineAccess } from './hub/access/offline-access.ts';
export { type HubChannel, openHubChannel } from './hub/admin/hub-channel.ts';
export { endOtherHub, isFolderTaken } from './hub/admin/other-hub.ts';
export { notedCommand } from './hub/audit/note-command.ts';
export { offlineBackup } from './hub/backup/offline-backup.ts';
export { putSettingsInForce } from './hub/backup/restore-settings.ts';
export { createHubConnector, ownServers } from './hub/connect.ts';
export type { Engine, EngineConfig, EnginePorts, LaunchCommand } from './hub/contract.ts';
export { Limits } from './hub/limits/limits.ts';
export { type ConfigCheck, checkConfig } from './hub/offline-check.ts';
export { offlineImport, offlineImportPreview } from './hub/offline-import.ts';
export { type OfflineSecrets, openOfflineSecrets } from './hub/offline-secrets.ts';
export { openOfflineSignIns } from './hub/offline-sign-ins.ts';
export { offlineSupport } from './hub/support/support-engine.ts';
export { writeFileAtomic, writePrivateFile } from './store/atomic-file.ts';
export { readBackupText } from './store/backup/backup-file.ts';
export { completeRestore } from './store/backup/restore-journal.ts';
export { type DataPaths, dataPaths, defaultDataDir, existingDataDir, openDataDir } from './store/data-dir.ts';
export { type LogFile, openLogFile } from './store/log-file.ts';
export { readFileOrPipe } from './store/regular-file.ts';
export { removeFile, replaceFile } from './store/replace-file.ts';
export type { SecretBox } from './store/secret-box.ts';
export { changeSettingsFile, readSettings } from './store/settings-file.ts';
export type { KeptAudit } from './store/state/audit/kept-audit.ts';
export { openKeptAudit } from './store/state/audit/open-kept-audit.ts';
export { clearTurnedOff, isTurnedOff, turnOff } from './store/turned-off.ts';
export { createEnvironmentSource, type EnvironmentSource } from './supervise/environment-source.ts';
export { inheritedReading, readLoginEnvironment } from './supervise/login-env.ts';

type State =
  | { readonly kind: 'new' | 'stopped' }
  | { readonly kind: 'starting'; readonly done: Promise<void> }
  | { readonly kind: 'running'; readonly hub: RunningHub }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** Makes a hub that is not started yet; see {@link Engine}. */
export function createEngine(ports: EnginePorts, settings: EngineConfig): Engine {
  const clock = systemClock;
  const clients = new Emitter<readonly ClientView[]>();
  const openings = new Emitter<RunningHub>();
  const { limits = new Limits() } = settings;
  const actor = new Actor();
  let state: State = { kind: 'new' };
  let servers: ConfigState['servers'] = [];

  const running = () => (state.kind === 'running' ? state.hub : undefined);
  const feeds = createFeeds(clock, () => ({
    hub,
    order: () => servers.map((server) => server.key),
    server: (key) => views.serverOf(running(), key),
    tools: (key) => views.toolsOf(running(), key),
  }));
  const connect = createHubConnector(ports, settings, () => connection());
  const importing = createImportEngine({ open: () => open(), connector: connect, ports, settings });
  const usage = createUsageSampler({ clock, pids: () => views.pids(running()) });
  const rest = new Rest(ports.logger, async () => {
    if (state.kind === 'starting') await state.done;
    return { engine, hub: open(), version: settings.version, log: ports.logger };
  });
  const listener: HubListener = {
    rest,
    imports: importing.imports,
    configChanged(next) {
      for (const key of views.keysWithOtherTools(servers, next.servers)) feeds.markTools(key);
      for (const { key } of [...servers, ...next.servers]) feeds.markServer(key);
      servers = next.servers;
    },
    serverChanged: feeds.markServer,
    offerChanged(key) {
      feeds.markServer(key);
      feeds.markTools(key);
    },
    hubChanged: feeds.markHub,
    settingsRestored: (text) => restoreSettings({ engine, port: ports.settings, config: settings }, text),
    checksRestored: () => checks.reload(),
  };

  function hub() {
    return views.hubView(
      settings,
      dataPaths(settings.dataDir),
      running(),
      state.kind === 'failed' ? [state.problem] : [],
    );
  }

  const serverViews = () => servers.flatMap(({ key }) => views.serverOf(running(), key) ?? []);

  async function start(): Promise<void> {
    if (state.kind !== 'new' && state.kind !== 'failed')
      throw new Error(`An engine is started once; this one is ${state.kind}.`);
    const opening = startHub(ports, { ...settings, limits }, listener);
    state = { kind: 'starting', done: opening.then(noop, noop) };
    try {
      const opened = await opening;
      opened.onClients((list) => clients.fire(list));
      state = { kind: 'running', hub: opened };
      void connect.check().catch((error) => {
        ports.logger.log('warn', 'The configs of clients could not be looked at.', { error });
      });
      openings.fire(opened);
    } catch (error) {
      state = { kind: 'failed', problem: toProblem(error) };
      throw error;
    } finally {
      feeds.markHub();
      for (const { key } of servers) listener.offerChanged(key);
    }
  }

  async function stop(): Promise<void> {
    if (state.kind === 'starting') await state.done;
    const opened = running();
    // What they are answered has to reach them.
    if (opened?.access.desk.end()) await delay(clock, answerMs);
    state = { kind: 'stopped' };
    rest.dispose();
    usage.dispose();
    connect.dispose();
    feeds.dispose();
    clients.dispose();
    tester.dispose();
    checks.dispose();
    await opened?.stop();
  }

  /** What only a running hub can do. */
  const open = (): RunningHub => {
    const opened = running();
    if (opened === undefined) throw new ProblemError(state.kind === 'failed' ? state.problem : notRunning());
    return opened;
  };
  const knownServer = (key: string) => {
    const server = open().supervisor.servers.get(key);
    if (server === undefined) throw new ProblemError(views.unknownServer(key));
    return server;
  };

  const tester = new HubTester({ open, clock, version: settings.version });
  const account = createAuditEngine({ open, running, onOpen: openings.event, actor });
  const file = dataPaths(settings.dataDir).checks;
  const checks = new HubChecks({ file, clock, tester, running, onOpen: openings.event });

  function connection() {
    const endpoint = open().endpoint();
    if (endpoint === undefined) throw new ProblemError(notServing());
    return endpoint;
  }

  const engine: Engine = {
    connect,
    ...createClientTruthEngine(open),
    ...createLimitsEngine(limits),
    ...account,
    ...createProfilesEngine({ open, running, onOpen: openings.event }),
    ...createSearchEngine({ open, onOpen: openings.event }),
    ...createAccessEngine({
      open,
      running,
      onOpen: openings.event,
      newClients: settings.newClients ?? 'everything',
      askDestructive: settings.askDestructive ?? false,
      clock,
    }),
    ...createGuardEngine({ open, running, onOpen: openings.event }),
    ...createSecretsEngine({ open, running, onOpen: openings.event }),
    ...createValuesEngine(open),
    ...importing,
    ...createSupportEngine({ running, hub, ports, settings }),
    backup: {
      make: async (options) => open().backup.make(options),
      preview: async (text) => open().backup.preview(text),
      restore: async (text, options) => open().backup.restore(text, options),
      undo: async (undoId) => open().backup.undo(undoId),
    },
    tester,
    checks,
    ...createActivityEngine({
      open,
      running,
      onOpen: openings.event,
      underway: () => views.activeCalls(running()),
      ...feeds,
      onClients: clients.event,
      servers: serverViews,
      onHappened: (happenings) => {
        for (const note of happenings.map(noteHappening)) if (note !== undefined) account.audit.note(note);
      },
    }),
    start,
    stop,
    hub,
    servers: serverViews,
    tools: () => servers.flatMap(({ key }) => views.toolsOf(running(), key)),
    clients: () => running()?.clients() ?? [],
    onHub: feeds.onHub,
    onServers: feeds.onServers,
    onTools: feeds.onTools,
    onClients: clients.event,
    onUsage: usage.onUsage,

    setEnabled: async (keys, enabled) => open().config.setEnabled(keys, enabled),
    restart: async (key) => restartServer(open(), knownServer(key).key),
    sleep: async (key) => putToSleep(open(), knownServer(key).key),
    tryEntry: async (key, text) => tryEntry(open(), key, text),
    forceUpdate: async (key) => open().supervisor.forceUpdate(knownServer(key).key),
    dismissUpdate: (key) => open().supervisor.dismissUpdate(knownServer(key).key),
    explainCommand: async (key) => open().commands.explain(key),
    setCommand: async (key, command) => open().config.setCommand(key, command),
    reloadEnvironment: async () => open().commands.reloadEnvironment(),
    checkHealth: async (key) => checkHealth(open(), knownServer(key)),
    health: (key) => open().health.history(knownServer(key).key),
    onHealth: (key, heard) => open().health.onHistory(knownServer(key).key, heard),
    wokeUp: () => wakeUp(running()),
    activeCalls: () => views.activeCalls(running()),
    drain: async (milliseconds) => running()?.supervisor.drain(milliseconds),
    resume: () => running()?.supervisor.resume(),
    signIn: async (key) => open().signIns.signIn(views.signInServer(open(), key)),
    signInLink: async (key) => views.signInLink(open(), key),
    signInUnopened: (key) => open().signIns.unopened(key),
    signOut: async (key) => open().signIns.signOut(views.signInServer(open(), key)),
    add: async (added) => open().config.add(added),
    update: async (key, entry, newKey) => open().config.update(key, entry, newKey),
    saveText: async (save) => open().config.saveText(save),
    duplicate: async (key) => open().config.duplicate(key),
    remove: async (key) => open().config.remove(key),
    undoRemove: async (undoId) => open().config.undoRemove(undoId),
    changeMany: async (changes) => open().config.changeMany(changes),
    undoChange: async (undoId) => open().config.undoChange(undoId),
    restoreConfig: async () => open().config.restoreGood(),
    undoRestoreConfig: async (undoId) => open().config.undoRestore(undoId),
    entry: async (key) => {
      const { text, entry } = await open().config.entry(key);
      return { text, entry: { ...entry } };
    },
    validate: (key, text, originalKey) => open().config.validate(key, text, originalKey),
    tool: (serverKey, name) => views.toolDetail(open(), serverKey, name),
    setToolsEnabled: async (key, names, enabled) => open().config.setToolsEnabled(key, names, enabled),

    log: (key) => knownServer(key).log.lines,
    clearLog: (key) => knownServer(key).log.clear(),
    onLog: (key, heard) => knownServer(key).log.onLines(heard),

    setPort: async (port) => open().setPort(port),
    connection,
  };
  engine.access.onEvent((event) => account.audit.note(noteAccess(event)));
  return withNotedOperations(engine, { note: account.audit.note, actor: () => actor.name });
}

/** Milliseconds for answers on their way. */
const answerMs = 200;

const noop = () => {};

function notRunning(): Problem {
  return problem('hub.unreachable', 'Patchbay is not running.', 'Start it again.');
}

/** Why there is no address. */
export function notServing(): Problem {
  const sentence = 'The HTTP endpoint is not being served.';
  return problem('hub.port_in_use', sentence, 'Choose a free port in the settings.');
}
