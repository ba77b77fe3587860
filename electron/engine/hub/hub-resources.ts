import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import { type AccessResources, openAccessResources } from '../access/hub-access.ts';
import { RegisteredKeys } from '../api/registry/registered-keys.ts';
import { finishRestore } from '../backup/restore-journal.ts';
import type { Clock } from '../base/clock.ts';
import type { CloseStack } from '../base/close-stack.ts';
import type { Problems } from '../base/problems.ts';
import { type ConfiguredLookup, createConfiguredLookup } from '../config/configured-lookup.ts';
import type { ConfigStore } from '../config/contract.ts';
import { Limits, reportInvalidLimits } from '../config/limits/limits.ts';
import { createConfigStore } from '../config/store/store.ts';
import { ToolGuard } from '../pinning/tool-guard.ts';
import { ProfileServerSync } from '../profiles/profile-server-sync.ts';
import { ProfileStore } from '../profiles/profile-store.ts';
import { openSecretStore, type SecretStore } from '../secrets/secret-store.ts';
import { openVault, vaultProblem } from '../secrets/sign-ins.ts';
import { writePrivateFile } from '../store/files/atomic-file.ts';
import type { DataPaths } from '../store/files/data-dir.ts';
import { acquireInstanceLock, type InstanceLock } from '../store/files/instance-lock.ts';
import { tidyDataDir } from '../store/files/private-files.ts';
import { createReserve, openHubFolder } from '../store/files/reserve.ts';
import type { SecretVault } from '../store/files/secret-vault.ts';
import { keepToken, loadOrCreateToken } from '../store/files/token.ts';
import { clearTurnedOff, hubTurnedOff, isTurnedOff } from '../store/files/turned-off.ts';
import type { EngineConfig, EnginePorts, LaunchCommand } from './contract.ts';
import { type HubEnvironment, openHubEnvironment } from './hub-environment.ts';
import { createPersistence, type Persistence } from './persistence.ts';

export interface HubResourcesOptions {
  readonly ports: EnginePorts;
  readonly settings: EngineConfig;
  readonly clock: Clock;
  readonly problems: Problems;
  readonly opened: CloseStack;
}

/** Resources a hub opens first: its folder, locked, and the state stored there. */
export interface HubResources {
  readonly paths: DataPaths;
  readonly lock: InstanceLock;
  readonly kept: Persistence;
  readonly limits: Limits;
  /** Access rights as stored. */
  readonly granted: AccessResources;
  readonly token: string;
  readonly environment: HubEnvironment;
  readonly vault: SecretVault;
  /** Secrets that config entries refer to; opened before the config. */
  readonly secrets: SecretStore;
  readonly config: ConfigStore;
  /** Called when a key is given to another server: a new one, or a renamed one that had the key `from`. */
  readonly newKey: (key: string, from: string | undefined) => void;
  readonly configured: ConfiguredLookup;
  readonly profiles: ProfileStore;
  /** Judges the definitions that servers list; opened with the catalogue. */
  readonly guard: ToolGuard;
}

/** Rejects with ProblemError if the folder is unusable or belongs to another hub. */
export async function openHubResources(options: HubResourcesOptions): Promise<HubResources> {
  const { ports, settings, clock, problems, opened } = options;
  const { paths, problem: full } = await openHubFolder(settings.dataDir);
  const lock = await acquireInstanceLock(paths.hub, settings.version);
  opened.defer(() => lock.release());
  problems.set('disk', full);
  await createReserve(paths);
  if (settings.startedByBridge && (await isTurnedOff(paths))) throw new ProblemError(hubTurnedOff());
  await clearTurnedOff(paths.dir);
  await finishRestore(paths);
  await tidyDataDir(paths);
  const { limits = new Limits() } = settings;
  const shown = reportInvalidLimits(limits, problems);
  opened.defer(() => shown.dispose());
  problems.set('launch', await rememberLaunch(paths.launch, settings.launch));
  const kept = createPersistence({ file: paths.state, clock, problems, opened });
  const token = await loadOrCreateToken(paths.token, ({ sentence, fix }) =>
    ports.logger.log('warn', `${sentence} ${fix}`),
  );
  const granted = await openAccessResources({
    paths,
    store: kept.access,
    limits,
    clock,
    log: ports.logger,
    opened,
  });
  const environment = await openHubEnvironment(ports, clock);
  const vault = openVault({ ports, paths, env: environment.current, clock });
  const onRead = () => void vaultProblem(vault).then((problem) => problems.set('secrets', problem));
  const secrets = await openSecretStore({ vault, file: paths.secrets, clock, onRead });
  opened.defer(() => secrets.dispose());
  const guard: ToolGuard = new ToolGuard({
    clock,
    pins: kept.pins,
    mayHaveLostApprovals: kept.hasUnresolvedLoss,
    modeOf: (key) => configured(key)?.guard,
    keys: () => config.state.servers.map(({ key }) => key),
  });
  opened.defer(() => guard.dispose());
  const places = new ProfileServerSync();
  const registered = new RegisteredKeys(kept.registry, clock);
  const newKey: HubResources['newKey'] = (key, from) => {
    guard.onKeyReassigned(key, from);
    places.onNewKey(key, from);
    granted.serverGrants.onNewKey(key, from);
    registered.newKey(key, from);
  };
  const config = await createConfigStore({
    file: paths.config,
    lastGood: paths.lastGoodConfig,
    env: () => environment.current,
    secrets,
    onNewKey: newKey,
    create: true,
  });
  opened.defer(() => config.dispose());
  granted.serverGrants.follow(config);
  registered.follow(config, (error) =>
    ports.logger.log('warn', 'Could not update the server registry', { error: String(error) }),
  );
  const configured = createConfiguredLookup(config);
  const report = (problem: Problem | undefined) => problems.set('profiles', problem);
  const profiles = await new ProfileStore({ file: paths.profiles, clock, report }).open();
  opened.defer(() => profiles.dispose());
  places.follow(config, profiles, (error) =>
    ports.logger.log('warn', 'Could not remove a deleted server from the profiles', { error: String(error) }),
  );
  return {
    paths,
    lock,
    limits,
    kept,
    granted,
    token,
    environment,
    vault,
    secrets,
    config,
    newKey,
    configured,
    guard,
    profiles,
  };
}

/** Writes the files of `run` again that bridges and the next start need, if they are missing. */
export async function rewriteRunFiles(
  { paths, config }: HubResources,
  settings: EngineConfig,
): Promise<void> {
  await createReserve(paths);
  await rememberLaunch(paths.launch, settings.launch);
  await config.reload();
}

/** Writes the tokens again that the hub goes on accepting, if their files are missing. */
export async function rewriteFiles({ paths, token, granted }: HubResources): Promise<void> {
  await keepToken(paths.token, token);
  await keepToken(paths.adminToken, granted.adminToken);
}

/** Tells bridges how to start this program again. The hub serves even if this fails. */
async function rememberLaunch(file: string, launch: LaunchCommand | undefined): Promise<Problem | undefined> {
  if (launch === undefined) return undefined;
  try {
    await writePrivateFile(file, JSON.stringify(launch));
    return undefined;
  } catch (error) {
    return toProblem(error);
  }
}
