import { pathToFileURL } from 'node:url';
import { app, safeStorage } from 'electron';
import type { Problem } from '../../../shared/error/problem.ts';
import type { Settings, SettingsPatch } from '../../../shared/schema/settings.ts';
import { programVersion } from '../../../shared/version.ts';
import {
  type DataPaths,
  type EngineConfig,
  type EnginePorts,
  type EnvironmentSource,
  hubView,
  Limits,
  type LogFile,
  openLogFile,
  startHub,
  supportBundle,
  writeFileAtomic,
} from '../../engine/engine.ts';
import type { LinkInbox } from '../link/link-inbox.ts';
import { after } from '../port/disposable.ts';
import { keychainBox } from '../port/keychain-box.ts';
import { processStart } from '../port/process-start.ts';
import { SettingsStore } from '../port/settings-store.ts';
import { electronSettingsWriter } from '../port/settings-writer.ts';
import { WindowStateStore } from '../port/window-state-store.ts';
import { type AppPaths, findAppPaths } from './app-paths.ts';
import { changeSettings } from './change-settings.ts';
import { HubLifecycle } from './hub-lifecycle.ts';
import { displayEnvironment } from './launch-command.ts';
import type { LaunchOptions } from './launch-options.ts';
import { createLoginItem, type LoginItem } from './login-item.ts';
import { createStartGate, type StartGate } from './start-gate.ts';
import { createStageMarker, type MarkStage } from './startup-log.ts';

/** Conditions under which the app was started. */
export interface ShellContext {
  readonly launch: LaunchOptions;
  readonly paths: DataPaths;
  readonly isDefaultDir: boolean;
  /** Folder of Chromium's and the window's own files. */
  readonly profile: string;
  readonly environment: EnvironmentSource;
  /** Links that the system passes to the app other than as arguments. */
  readonly links: LinkInbox;
}

/** Parts of the app that do not depend on each other. */
export interface ShellParts {
  /** Servers start once it is open. */
  readonly gate: StartGate;
  readonly logger: LogFile;
  readonly markStage: MarkStage;
  readonly places: AppPaths;
  /** The data folder, only if it is not the default. */
  readonly dataDir: string | undefined;
  readonly settings: SettingsStore;
  readonly windowState: WindowStateStore;
  readonly loginItem: LoginItem;
  readonly hub: HubLifecycle;
  readonly limits: Limits;
  /** Makes a support bundle without a hub. */
  readonly support: (program: Readonly<Record<string, string | undefined>>) => Promise<string>;
  readonly changeSettings: (patch: SettingsPatch) => Promise<Settings>;
  /** Calls `listener` with settings that are applied and saved. */
  readonly followSettings: (listener: (settings: Settings) => void) => void;
  /** Returns a handler that logs a failure as a warning. */
  readonly warn: (message: string) => (error: unknown) => void;
}

export function createParts({ paths, isDefaultDir, profile, environment }: ShellContext): ShellParts {
  const gate = createStartGate(gateTimeoutMs);
  const logger = openLogFile(paths.logs);
  const warn = (message: string) => (error: unknown) => logger.log('warn', message, { error });
  const noKeychain = warn('The keychain cannot be used.');
  const dataDir = isDefaultDir ? undefined : paths.dir;
  const places = findAppPaths(app, dataDir);
  const settings = new SettingsStore({
    file: paths.settings,
    write: electronSettingsWriter(paths.settings),
    now: Date.now,
  });
  const loginItem = createLoginItem({
    app,
    start: places.start,
    env: process.env,
    writeFile: writeFileAtomic,
  });
  let onChanged = (_settings: Settings): void => {};
  const change = (patch: SettingsPatch): Promise<Settings> =>
    changeSettings({ store: settings, hub, limits, loginItem, onChanged: (next) => onChanged(next) }, patch);
  const ports: EnginePorts = {
    logger,
    env: async () => {
      await gate.opened;
      return (await environment.reading()).env;
    },
    environment,
    inherited: process.env,
    saveAskDestructive: async (askDestructive) => {
      settings.save(settings.merged({ askDestructive }));
      hub.running?.applyAskDestructive(askDestructive);
    },
    replaced: (problem) => void hub.replaced(problem).catch(warn('Stopping failed.')),
    secretBox: () => keychainBox({ keychain: safeStorage, platform: process.platform, onError: noKeychain }),
    settings: {
      current: () => settings.current,
      change: async (next) => void (await change(next)),
    },
    activityWorker: pathToFileURL(places.activityWorker),
  };
  const limits = new Limits({ variables: process.env, chosen: settings.current.limits });
  const config = (): EngineConfig => ({
    dataDir: paths.dir,
    version: programVersion,
    port: settings.current.port,
    recordActivity: settings.current.recordActivity,
    audit: settings.current.audit,
    newClients: settings.current.newClients,
    askDestructive: settings.current.askDestructive,
    limits,
    launch: { ...places.start, env: displayEnvironment(process.env) },
    bridge: places.bridge,
    bundle: places.bundle,
  });
  const hub: HubLifecycle = new HubLifecycle({
    start: () => startHub(ports, config()),
    viewWithout: (problems) => hubView({ dataDir: paths.dir, version: programVersion }, undefined, problems),
    problems: collectProblems(settings, environment),
    after,
  });
  return {
    gate,
    logger,
    markStage: createStageMarker(
      logger,
      processStart(() => process.getCreationTime()),
      Date.now,
    ),
    places,
    dataDir,
    settings,
    windowState: new WindowStateStore(profile, warn('The window’s state could not be saved.')),
    loginItem,
    hub,
    limits,
    support: (program) =>
      supportBundle(program, { ports, settings: { dataDir: paths.dir }, view: hub.view() }),
    changeSettings: change,
    followSettings: (listener) => {
      onChanged = listener;
    },
    warn,
  };
}

/** Maximum time in milliseconds that servers wait for the window. */
const gateTimeoutMs = 2_000;

/** Problems of the shell itself, as they become known. */
function collectProblems(settings: SettingsStore, environment: EnvironmentSource) {
  const problems: Problem[] = [...settings.problems];
  void environment.reading().then(({ problem }) => {
    if (problem !== undefined) problems.push(problem);
  });
  return () => problems;
}
