import { type Problem, ProblemError, toProblem } from '../../../shared/error/problem.ts';
import type { Clock } from '../base/clock.ts';
import type { CloseStack } from '../base/close-stack.ts';
import type { ConfigStore } from '../config/contract.ts';
import { createConfigStore } from '../config/store.ts';
import { writePrivateFile } from '../store/atomic-file.ts';
import { finishRestore } from '../store/backup/restore-journal.ts';
import type { DataPaths } from '../store/data-dir.ts';
import { acquireInstanceLock, type InstanceLock } from '../store/instance-lock.ts';
import { tidyDataDir } from '../store/private-files.ts';
import { keepReserve, openHubFolder } from '../store/reserve.ts';
import type { SecretVault } from '../store/secret-vault.ts';
import { loadOrCreateToken } from '../store/token.ts';
import { clearTurnedOff, hubTurnedOff, isTurnedOff } from '../store/turned-off.ts';
import { type AccessGround, openAccessGround } from './access/open-access.ts';
import { type ConfiguredLookup, createConfiguredLookup } from './configured.ts';
import type { EngineConfig, EnginePorts, LaunchCommand } from './contract.ts';
import { ToolGuard } from './guard/tool-guard.ts';
import { createKeptState, type KeptState } from './kept-state.ts';
import { type KnownEnvironment, knowEnvironment } from './known-environment.ts';
import { Limits } from './limits/limits.ts';
import { showBadLimits } from './limits/show-bad-limits.ts';
import type { ProblemBoard } from './problem-board.ts';
import { ServerPlaces } from './profiles/follow-servers.ts';
import { ProfileBook } from './profiles/profile-book.ts';
import { RegisteredKeys } from './rest/follow-keys.ts';
import { openSecretStore, type SecretStore } from './secret-store.ts';
import { openVault, vaultProblem } from './sign-ins.ts';

export interface GroundOptions {
  readonly ports: EnginePorts;
  readonly settings: EngineConfig;
  readonly clock: Clock;
  readonly problems: ProblemBoard;
  readonly opened: CloseStack;
}

/** Resources a hub opens first: its folder, locked, and the state stored there. */
export interface Ground {
  readonly paths: DataPaths;
  readonly lock: InstanceLock;
  readonly kept: KeptState;
  readonly limits: Limits;
  /** Access rights as stored. */
  readonly granted: AccessGround;
  readonly token: string;
  readonly environment: KnownEnvironment;
  readonly vault: SecretVault;
  /** Secrets that config entries refer to; opened before the config. */
  readonly secrets: SecretStore;
  readonly config: ConfigStore;
  /**
   * Called when a key comes to stand for another server: a new one, or a renamed one that had the key `from`.
   */
  readonly newKey: (key: string, from: string | undefined) => void;
  readonly configured: ConfiguredLookup;
  readonly profiles: ProfileBook;
  /** Judges the definitions that servers list; opened with the catalogue. */
  readonly guard: ToolGuard;
}

/** Rejects with ProblemError if the folder is unusable or belongs to another hub. */
export async function openGround(options: GroundOptions): Promise<Ground> {
  const { ports, settings, clock, problems, opened } = options;
  const { paths, problem: full } = await openHubFolder(settings.dataDir);
  const lock = await acquireInstanceLock(paths.hub, settings.version);
  opened.defer(() => lock.release());
  problems.set('disk', full);
  await keepReserve(paths);
  if (settings.startedByBridge && (await isTurnedOff(paths))) throw new ProblemError(hubTurnedOff());
  await clearTurnedOff(paths.dir);
  await finishRestore(paths);
  await tidyDataDir(paths);
  const { limits = new Limits() } = settings;
  const shown = showBadLimits(limits, problems);
  opened.defer(() => shown.dispose());
  problems.set('launch', await rememberLaunch(paths.launch, settings.launch));
  const kept = createKeptState({ file: paths.state, clock, problems, opened });
  const token = await loadOrCreateToken(paths.token, ({ sentence, fix }) =>
    ports.logger.log('warn', `${sentence} ${fix}`),
  );
  const granted = await openAccessGround({
    paths,
    store: kept.access,
    limits,
    clock,
    log: ports.logger,
    opened,
  });
  const environment = await knowEnvironment(ports, clock);
  const vault = openVault({ ports, paths, env: environment.current, clock });
  const onRead = () => void vaultProblem(vault).then((problem) => problems.set('secrets', problem));
  const secrets = await openSecretStore({ vault, file: paths.secrets, clock, onRead });
  opened.defer(() => secrets.dispose());
  const guard: ToolGuard = new ToolGuard({
    clock,
    pins: kept.pins,
    isInDoubt: kept.isInDoubt,
    modeOf: (key) => configured(key)?.guard,
    keys: () => config.state.servers.map(({ key }) => key),
  });
  opened.defer(() => guard.dispose());
  const places = new ServerPlaces();
  const registered = new RegisteredKeys(kept.registry, clock);
  const newKey: Ground['newKey'] = (key, from) => {
    guard.keyRenewed(key, from);
    places.newKey(key, from);
    granted.servers.newKey(key, from);
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
  granted.servers.follow(config);
  registered.follow(config, (error) =>
    ports.logger.log('warn', 'Could not update the server registry', { error: String(error) }),
  );
  const configured = createConfiguredLookup(config);
  const report = (problem: Problem | undefined) => problems.set('profiles', problem);
  const profiles = await new ProfileBook({ file: paths.profiles, clock, report }).open();
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
