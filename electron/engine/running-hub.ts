import { homedir } from 'node:os';
import { type Problem, toProblem } from '../../shared/error/problem.ts';
import type { ClientView } from '../../shared/model/client.ts';
import { hubIdentity, hubNameStyle } from '../../shared/model/greeting.ts';
import { hubInstanceId } from '../../shared/model/loop.ts';
import { systemClock } from './base/clock.ts';
import { CloseStack } from './base/close-stack.ts';
import type { Event } from './base/emitter.ts';
import type { CatalogueStore, Offer } from './catalogue/contract.ts';
import { openDiskCache } from './catalogue/disk-cache.ts';
import { listOffer } from './catalogue/list-offer.ts';
import { createCatalogueStore } from './catalogue/store.ts';
import { createView } from './catalogue/view.ts';
import type { ConfigState, ConfigStore, ConfiguredServer } from './config/contract.ts';
import { createConfigStore } from './config/store.ts';
import type { EngineConfig, EnginePorts } from './engine-contract.ts';
import { createHttpEndpoint } from './gateway/http-endpoint.ts';
import { createSessionRegistry } from './gateway/session-registry.ts';
import { createSocketEndpoint } from './gateway/socket-endpoint.ts';
import { createViews } from './gateway/views.ts';
import { createOfferSync, type OfferSync } from './offer-sync.ts';
import { createBackchannel } from './route/backchannel.ts';
import { createRouter } from './route/router.ts';
import { openSignIns, openVault, vaultProblem } from './sign-ins.ts';
import { writeFileAtomic } from './store/atomic-file.ts';
import { openDataDir } from './store/data-dir.ts';
import { acquireInstanceLock } from './store/instance-lock.ts';
import type { SecretVault } from './store/secret-vault.ts';
import { loadOrCreateToken } from './store/token.ts';
import type { Supervisor } from './supervise/contract.ts';
import { createSupervisor } from './supervise/supervisor.ts';
import type { OAuth } from './transport/oauth/contract.ts';

/** What the running hub tells its owner, who turns it into events. */
export interface HubListener {
  configChanged(state: ConfigState): void;
  serverChanged(key: string): void;
  offerChanged(key: string): void;
  hubChanged(): void;
}

/** The hub while it runs: its rooms, opened and joined. */
export interface RunningHub {
  readonly startedAt: number;
  readonly config: ConfigStore;
  readonly catalogue: CatalogueStore;
  readonly supervisor: Supervisor;
  readonly sync: OfferSync;
  readonly signIns: OAuth;
  readonly onClients: Event<readonly ClientView[]>;
  clients(): readonly ClientView[];
  readonly secretsKeptBy: SecretVault['keeper'];
  /** Of the hub itself, not of single servers. */
  problems(): readonly Problem[];
  endpoint(): { readonly url: string; readonly token: string } | undefined;
  setPort(port: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Opens a hub on its data folder, in the order that loses nothing: own the folder, read the config,
 * open the endpoints, start the servers (which ends leftovers first). Rejects with ProblemError, leaving nothing open.
 */
export async function startHub(
  ports: EnginePorts,
  settings: EngineConfig,
  listener: HubListener,
): Promise<RunningHub> {
  const opened = new CloseStack();
  try {
    return await openHub(ports, settings, listener, opened);
  } catch (error) {
    await opened.close().catch(() => undefined);
    throw error;
  }
}

async function openHub(
  ports: EnginePorts,
  settings: EngineConfig,
  listener: HubListener,
  opened: CloseStack,
): Promise<RunningHub> {
  const { logger: log } = ports;
  const clock = systemClock;
  const instanceId = hubInstanceId(settings.dataDir);
  const problems = new ProblemBoard(() => listener.hubChanged());
  const paths = await openDataDir(settings.dataDir);
  const lock = await acquireInstanceLock(paths.hub, settings.version);
  opened.defer(() => lock.release());
  if (settings.launch !== undefined) {
    await writeFileAtomic(paths.launch, JSON.stringify(settings.launch), { mode: 0o600 });
  }
  const token = await loadOrCreateToken(paths.token);
  const env = await ports.env();
  const config = await createConfigStore({ file: paths.config, env: () => env, create: true });
  opened.defer(() => config.dispose());

  const cache = await openDiskCache({
    file: paths.catalogue,
    clock,
    report: (problem) => problems.set('catalogue', problem),
  });
  const catalogue = createCatalogueStore({
    clock,
    ...(cache.stored === undefined ? {} : { stored: cache.stored }),
  });
  opened.defer(() => catalogue.dispose());
  opened.defer(() => cache.flush());
  opened.defer(() => catalogue.flush());
  catalogue.onChange((change) => {
    cache.save(change.catalogue);
    listener.hubChanged();
  });

  const secrets = { ports, paths, env, clock };
  const vault = openVault(secrets);
  const signIns = openSignIns(vault, secrets);
  opened.defer(() => signIns.close());
  void vaultProblem(vault).then((problem) => problems.set('secrets', problem));

  const supervisor = createSupervisor({
    clock,
    logger: log,
    env: ports.env,
    version: settings.version,
    instanceId,
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
    supervisor,
    catalogue,
    list: (connection, key) => listOffer(connection, previousOffer(catalogue, key)),
    keep: 'while-known',
    onChange: listener.offerChanged,
  });
  opened.defer(() => sync.dispose());

  const router = createRouter({
    supervisor,
    clock,
    callTimeout: (key) => serverOf(config, key)?.callTimeout,
  });
  opened.defer(() => router.dispose());
  const backchannel = createBackchannel({ supervisor, clock });
  opened.defer(() => backchannel.dispose());
  const sessions = createSessionRegistry({
    catalogue,
    views: createViews(createView),
    router,
    backchannel,
    programDefault: hubNameStyle,
    identity: hubIdentity(settings.version),
    ready: () => sync.settled(),
    log,
    clock,
  });

  const socket = createSocketEndpoint({ path: paths.socket, version: settings.version, sessions, log });
  const http = createHttpEndpoint({
    token,
    version: settings.version,
    instanceId,
    sessions,
    hasServer: (key) => serverOf(config, key) !== undefined,
    log,
    clock,
  });

  const follow = (state: ConfigState) => {
    catalogue.arrange(state.servers);
    supervisor.apply(state.servers);
    problems.set('config', state.problem);
    listener.configChanged(state);
  };
  config.onChange(follow);
  follow(config.state);
  await socket.listen();
  opened.defer(() => socket.close());
  opened.defer(() => http.close());
  opened.defer(() => sessions.close());
  const serveHttp = async (port: number) => {
    await http.listen(port);
    await lock.update({ port });
    problems.set('http', undefined);
  };
  await serveHttp(settings.port).catch((error: unknown) => problems.set('http', toProblem(error)));

  return {
    startedAt: clock.now(),
    config,
    catalogue,
    supervisor,
    sync,
    signIns,
    secretsKeptBy: vault.keeper,
    onClients: sessions.onChange,
    clients: () => sessions.views(),
    problems: () => problems.all(),
    endpoint: () =>
      http.port === undefined ? undefined : { url: `http://127.0.0.1:${http.port}/mcp`, token },
    setPort: serveHttp,
    stop: () => opened.close(),
  };
}

function serverOf(config: ConfigStore, key: string): ConfiguredServer | undefined {
  return config.state.servers.find((server) => server.key === key);
}

function previousOffer({ current }: CatalogueStore, key: string): { readonly previous?: Offer } {
  const offer = current.servers.find((server) => server.key === key)?.offer;
  return offer === undefined ? {} : { previous: offer };
}

/** The hub's own problems, one for each cause, so that each goes away when its cause does. */
class ProblemBoard {
  readonly #problems = new Map<string, Problem>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  set(cause: string, problem: Problem | undefined): void {
    if (problem === undefined && !this.#problems.has(cause)) return;
    if (problem === undefined) this.#problems.delete(cause);
    else this.#problems.set(cause, problem);
    this.#changed();
  }

  all(): readonly Problem[] {
    return [...this.#problems.values()];
  }
}
