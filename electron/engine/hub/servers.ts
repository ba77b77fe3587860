import type { Problem } from '../../../shared/error/problem.ts';
import { hubInstanceId } from '../../../shared/model/server/loop.ts';
import type { Clock } from '../base/clock.ts';
import type { CloseStack } from '../base/close-stack.ts';
import { createCountNotifier } from '../base/count-notifier.ts';
import type { Problems } from '../base/problems.ts';
import type { Catalogue, CatalogueStore } from '../catalogue/contract.ts';
import { openDiskCache } from '../catalogue/disk-cache.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { ConfiguredLookup } from '../config/configured-lookup.ts';
import type { ToolGuard } from '../pinning/tool-guard.ts';
import { CallTracker } from '../routing/call-tracker.ts';
import { openSignIns } from '../secrets/sign-ins.ts';
import type { SupervisedServer, Supervisor } from '../servers/contract.ts';
import { defaultFolder } from '../servers/environment/default-folder.ts';
import type { HealthMonitor } from '../servers/health/health-monitor.ts';
import { SleepSavings } from '../servers/lifecycle/sleep-savings.ts';
import { followStartupOutput } from '../servers/lifecycle/startup-output.ts';
import { createSupervisor } from '../servers/lifecycle/supervisor.ts';
import { type CatalogueSync, createCatalogueSync } from '../servers/listing/catalogue-sync.ts';
import { hasListedTools, knownListing } from '../servers/listing/known-listing.ts';
import type { DataPaths } from '../store/files/data-dir.ts';
import type { SecretVault } from '../store/files/secret-vault.ts';
import type { OAuth } from '../transport/oauth/contract.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import { openHealth } from './health.ts';

export interface HubServersOptions {
  readonly ports: EnginePorts;
  readonly settings: EngineConfig;
  readonly paths: DataPaths;
  readonly configured: ConfiguredLookup;
  /** True if a client has anything other than calls open at a server or instance. */
  readonly hasOpenWork: (id: string) => boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly guard: ToolGuard;
  readonly vault: SecretVault;
  readonly clock: Clock;
  readonly problems: Problems;
  readonly opened: CloseStack;
  readonly listener: {
    serverChanged(key: string): void;
    offerChanged(key: string): void;
    hubChanged(): void;
  };
}

/** The server side of a hub: processes, listings, sign-ins. */
export interface HubServers {
  readonly catalogue: CatalogueStore;
  /** Writes the catalogue's file again, which was deleted or replaced. */
  rewriteCatalogue(): void;
  readonly supervisor: Supervisor;
  readonly sync: CatalogueSync;
  readonly signIns: OAuth;
  readonly health: HealthMonitor;
  /** Observes calls. */
  readonly tracker: CallTracker;
  readonly sleepSavings: SleepSavings;
  readonly secretsKeptBy: SecretVault['keeper'];
}

export async function openHubServers(options: HubServersOptions): Promise<HubServers> {
  const { ports, settings, paths, configured, env, vault, clock, opened, listener } = options;
  const { catalogue, rewriteCatalogue } = await openCatalogue(options);
  const signIns = openSignIns(vault, { ports, paths, env, clock });
  opened.defer(() => signIns.close());

  const sleepSavings = new SleepSavings(() => supervisor);
  const supervisor: Supervisor = createSupervisor({
    clock,
    logger: ports.logger,
    env: ports.env,
    ...(ports.environment === undefined ? {} : { refreshEnv: ports.environment.refresh }),
    version: settings.version,
    instanceId: hubInstanceId(settings.dataDir),
    registryFile: paths.children,
    erasFile: paths.eras,
    authorize: signIns.authorization,
    // A desktop launch may start us in `/`, which is no folder for a server.
    defaultCwd: defaultFolder(),
    hasOpenWork: options.hasOpenWork,
    beforeSleep: (key) => sleepSavings.measure(key),
    mustListFirst: (key) => !hasListedTools(knownListing(catalogue, key)),
    prepare: (key, connection) => sync.prepare(key, connection),
  });
  opened.defer(() => supervisor.shutdown());
  supervisor.onState(({ server }) => listener.serverChanged(server.key));
  const startupOutput = followStartupOutput(supervisor, listener.serverChanged);
  opened.defer(() => startupOutput.dispose());
  supervisor.instances.onState(({ server }) => listener.serverChanged(server.key));
  signIns.onChange(({ key, credentials }) => {
    if (credentials && supervisor.servers.has(key)) supervisor.restart(key);
    listener.serverChanged(key);
  });
  const sync = createCatalogueSync({
    clock,
    supervisor,
    catalogue,
    gate: options.guard.ready,
    keep: 'while-known',
    onChange: listener.offerChanged,
    onListed: (key) => void letSleep(key),
  });
  opened.defer(() => sync.dispose());
  const letSleep = async (key: string) => {
    if (configured(key)?.start === 'on-demand') await sleepSavings.measure(key);
    supervisor.markListed(key);
  };
  const health = openHealth({
    clock,
    configured,
    supervisor,
    env: ports.env,
    onChange: listener.serverChanged,
  });
  opened.defer(() => health.dispose());
  const tracker = openCallTracker(options, supervisor, health);
  return {
    catalogue,
    rewriteCatalogue,
    supervisor,
    sync,
    signIns,
    health,
    tracker,
    sleepSavings,
    secretsKeptBy: vault.keeper,
  };
}

/** Judges the health of servers by their calls. */
function openCallTracker(
  { clock, listener, opened }: HubServersOptions,
  supervisor: Supervisor,
  health: HealthMonitor,
): CallTracker {
  const count = (key: string) =>
    processesOf(supervisor, key).reduce((sum, { activeCalls }) => sum + activeCalls, 0);
  const counts = createCountNotifier(clock, count, listener.serverChanged);
  opened.defer(() => counts.dispose());
  return new CallTracker({
    onEnded: (key, milliseconds, failed) => health.recordCall(key, milliseconds, failed),
    onCountChanged: counts.changed,
    onUsersChanged: listener.serverChanged,
  });
}

/** Returns the shared process and those of single sessions. */
function processesOf({ servers, instances }: Supervisor, key: string): readonly SupervisedServer[] {
  const shared = servers.get(key);
  return [...(shared === undefined ? [] : [shared]), ...instances.of(key)];
}

/** Opens the catalogue with the listings of the last run, and saves it from now on. */
async function openCatalogue(
  options: HubServersOptions,
): Promise<Pick<HubServers, 'catalogue' | 'rewriteCatalogue'>> {
  const { paths, clock, problems, opened, listener, guard } = options;
  const report = (problem: Problem | undefined) => problems.set('catalogue', problem);
  const cache = await openDiskCache({ file: paths.catalogue, clock, report });
  const { stored } = cache;
  const catalogue = new LiveCatalogue({ clock, gate: guard, ...(stored === undefined ? {} : { stored }) });
  guard.onQuarantine((key) => listener.offerChanged(key));
  void guard.open(stored, () => catalogue.current);
  opened.defer(() => catalogue.dispose());
  opened.defer(() => cache.flush());
  opened.defer(() => catalogue.flush());
  catalogue.onChange((change) => {
    if (isWorthSaving(change.catalogue, stored)) cache.save(change.catalogue);
    listener.hubChanged();
  });
  const rewriteCatalogue = () => {
    cache.fileLost();
    cache.save(catalogue.current);
  };
  return { catalogue, rewriteCatalogue };
}

/** Skips a first file while no server has listed anything: a bridge that finds no file waits for the hub. */
function isWorthSaving({ servers, off, awaited = [] }: Catalogue, stored: Catalogue | undefined): boolean {
  return stored !== undefined || awaited.length === 0 || servers.length + off.length > 0;
}
