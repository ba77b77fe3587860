import { homedir } from 'node:os';
import type { Problem } from '../../../shared/error/problem.ts';
import { hubInstanceId } from '../../../shared/model/loop.ts';
import type { Clock } from '../base/clock.ts';
import type { CloseStack } from '../base/close-stack.ts';
import type { CatalogueStore, Offer } from '../catalogue/contract.ts';
import { openDiskCache } from '../catalogue/disk-cache.ts';
import { listOffer } from '../catalogue/list-offer.ts';
import { createCatalogueStore } from '../catalogue/store.ts';
import type { DataPaths } from '../store/data-dir.ts';
import type { SecretVault } from '../store/secret-vault.ts';
import type { Supervisor } from '../supervise/contract.ts';
import { createSupervisor } from '../supervise/supervisor.ts';
import type { OAuth } from '../transport/oauth/contract.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import { createOfferSync, type OfferSync } from './offer-sync.ts';
import type { ProblemBoard } from './problem-board.ts';
import { openSignIns, openVault, vaultProblem } from './sign-ins.ts';

export interface HubServersOptions {
  readonly ports: EnginePorts;
  readonly settings: EngineConfig;
  readonly paths: DataPaths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly problems: ProblemBoard;
  readonly opened: CloseStack;
  readonly listener: {
    serverChanged(key: string): void;
    offerChanged(key: string): void;
    hubChanged(): void;
  };
}

/** The servers' side of a hub: who runs them, what they offer, who is signed in to them. */
export interface HubServers {
  readonly catalogue: CatalogueStore;
  readonly supervisor: Supervisor;
  readonly sync: OfferSync;
  readonly signIns: OAuth;
  readonly secretsKeptBy: SecretVault['keeper'];
}

export async function openHubServers(options: HubServersOptions): Promise<HubServers> {
  const { ports, settings, paths, env, clock, problems, opened, listener } = options;
  const catalogue = await openCatalogue(options);
  const secrets = { ports, paths, env, clock };
  const vault = openVault(secrets);
  const signIns = openSignIns(vault, secrets);
  opened.defer(() => signIns.close());
  void vaultProblem(vault).then((problem) => problems.set('secrets', problem));

  const supervisor = createSupervisor({
    clock,
    logger: ports.logger,
    env: ports.env,
    version: settings.version,
    instanceId: hubInstanceId(settings.dataDir),
    ledgerFile: paths.children,
    authorize: signIns.authorization,
    // A desktop launch may leave us in `/`; no server should find itself there.
    defaultCwd: homedir(),
  });
  opened.defer(() => supervisor.shutdown());
  supervisor.onState(({ server }) => listener.serverChanged(server.key));
  signIns.onChange(({ key, credentials }) => {
    if (credentials && supervisor.servers.has(key)) supervisor.restart(key);
    listener.serverChanged(key);
  });
  const sync = createOfferSync({
    clock,
    supervisor,
    catalogue,
    list: (connection, key) => listOffer(connection, previousOffer(catalogue, key)),
    keep: 'while-known',
    onChange: listener.offerChanged,
  });
  opened.defer(() => sync.dispose());
  return { catalogue, supervisor, sync, signIns, secretsKeptBy: vault.keeper };
}

/** The catalogue, begun with what was offered when the hub last ran, and kept on disk from now on. */
async function openCatalogue(options: HubServersOptions): Promise<CatalogueStore> {
  const { paths, clock, problems, opened, listener } = options;
  const report = (problem: Problem | undefined) => problems.set('catalogue', problem);
  const cache = await openDiskCache({ file: paths.catalogue, clock, report });
  const { stored } = cache;
  const catalogue = createCatalogueStore({ clock, ...(stored === undefined ? {} : { stored }) });
  opened.defer(() => catalogue.dispose());
  opened.defer(() => cache.flush());
  opened.defer(() => catalogue.flush());
  catalogue.onChange((change) => {
    cache.save(change.catalogue);
    listener.hubChanged();
  });
  return catalogue;
}

function previousOffer({ current }: CatalogueStore, key: string): { readonly previous?: Offer } {
  const offer = current.servers.find((server) => server.key === key)?.offer;
  return offer === undefined ? {} : { previous: offer };
}
