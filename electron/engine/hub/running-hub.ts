import { type Problem, ProblemError, problem, toProblem } from '../../../shared/error/problem.ts';
import type { ClientView } from '../../../shared/model/client/client.ts';
import { HubAccess } from '../access/hub-access.ts';
import { shownArguments } from '../access/shown-arguments.ts';
import type { RegistryStore } from '../api/registry/registry-store.ts';
import { createBackups } from '../backup/backups.ts';
import type { Backups } from '../backup/contract.ts';
import { liveSetup } from '../backup/live-setup.ts';
import { type Clock, every, systemClock } from '../base/clock.ts';
import { CloseStack } from '../base/close-stack.ts';
import type { Event } from '../base/emitter.ts';
import { Problems } from '../base/problems.ts';
import { SerialQueue } from '../base/serial-queue.ts';
import type { ConfiguredLookup } from '../config/configured-lookup.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { InspectedHub } from '../inspection/client-inspection.ts';
import { recentUses } from '../inspection/tool-use.ts';
import type { ToolGuard } from '../pinning/tool-guard.ts';
import type { ProfileStore } from '../profiles/profile-store.ts';
import { ActiveCalls } from '../routing/active-calls.ts';
import type { Resilience } from '../routing/resilience/resilience.ts';
import type { Router } from '../routing/router.ts';
import { ServerRequests } from '../routing/server-requests/server-requests.ts';
import { isTesterSession, testerName } from '../routing/tester-session.ts';
import { openSearch } from '../search/service/open-search.ts';
import type { SearchService } from '../search/service/search-service.ts';
import { KnownSecrets } from '../secrets/known-secrets.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import { awaitLocalStarts } from '../servers/lifecycle/local-starts.ts';
import { createMeter, type Meter } from '../telemetry/metrics/meter.ts';
import { Traces } from '../telemetry/traces/traces.ts';
import { countNotifications, type HubActivity, openActivity } from './activity-recorder.ts';
import { type HubCommands, openHubCommands } from './commands.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import { type HubEndpoints, openHubEndpoints } from './endpoints.ts';
import { followClients, followConfig } from './follow.ts';
import type { HubListener } from './hub-listener.ts';
import {
  type HubResources,
  type HubResourcesOptions,
  openHubResources,
  rewriteFiles,
  rewriteRunFiles,
} from './hub-resources.ts';
import { Reachability, SocketPlace } from './reachability.ts';
import { type HubServers, openHubServers } from './servers.ts';
import { serverProtocolOf } from './view/server-view.ts';
import { statusText } from './view/status-text.ts';

/** The hub while it runs, with all its rooms. */
export interface RunningHub extends HubServers {
  readonly startedAt: number;
  readonly clock: Clock;
  readonly config: ConfigStore;
  readonly configured: ConfiguredLookup;
  readonly resilience: Resilience;
  readonly commands: HubCommands;
  readonly serverRequests: ServerRequests;
  readonly router: Router;
  readonly calls: ActiveCalls;
  readonly registry: RegistryStore;
  readonly secrets: SecretStore;
  readonly activity: HubActivity;
  readonly meter: Meter;
  readonly access: HubAccess;
  readonly guard: ToolGuard;
  readonly profiles: ProfileStore;
  readonly search: SearchService;
  readonly truth: InspectedHub['truth'];
  readonly backup: Backups;
  readonly onClients: Event<readonly ClientView[]>;
  clients(): readonly ClientView[];
  /** Problems of the hub itself, not of single servers. */
  problems(): readonly Problem[];
  endpoint(): { readonly url: string; readonly token: string } | undefined;
  setPort(port: number): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Opens a hub on its data folder in a safe order: lock the folder, read the config, start the servers (which
 * first ends leftover processes), open the endpoints. Rejects with ProblemError, leaving nothing open.
 */
export async function startRunningHub(
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

/** Rooms that are opened after others that ask them. */
interface LaterRooms {
  servers?: HubServers;
  serverRequests?: ServerRequests;
  access?: HubAccess;
  endpoints?: HubEndpoints;
  search?: SearchService;
}

async function openHub(
  ports: EnginePorts,
  settings: EngineConfig,
  listener: HubListener,
  opened: CloseStack,
): Promise<RunningHub> {
  const clock = systemClock;
  const problems = new Problems(() => listener.hubChanged());
  const calls = new ActiveCalls();
  const common = { ports, settings, clock, calls, problems, opened };
  const resources = await openHubResources(common);
  const later: LaterRooms = {};
  const observers = openObservers(common, resources, later);
  const { activity, meter, traces } = observers;
  const env = resources.environment.current;
  const hasOpenWork = (id: string) => later.serverRequests?.hasOpenWork(id) ?? false;
  const servers = await openHubServers({ ...common, ...resources, env, hasOpenWork, listener });
  later.servers = servers;
  // Opened before the first server runs: requests and notifications right after its start must not be lost.
  const serverRequests = openServerRequests(common, servers, activity);
  later.serverRequests = serverRequests;
  countNotifications(servers.supervisor, activity.recorder);
  followConfig(resources, servers, problems, listener);
  // Loaded while processes are spawned: once many servers start, no processor time is left for it.
  listener.rest.preload?.();
  await awaitLocalStarts(servers.supervisor, resources.config.state.servers, clock);
  const access = openAccess(common, resources, servers);
  later.access = access;
  const place = await SocketPlace.open(resources, opened);
  const endpoints = await openHubEndpoints({
    ...common,
    ...resources,
    servers,
    access,
    recorder: activity.recorder,
    serverRequests,
    meter,
    socketPath: place.path,
    admin: listener.admin,
    rest: listener.rest,
    status: () => statusOf(resources, servers),
    find: async (query, scope) => later.search?.findIn(query, scope) ?? [],
    log: ports.logger,
  });
  later.endpoints = endpoints;
  void traces.follow(calls);
  followClients(resources, servers, endpoints, listener);
  resources.guard.onDecided(({ serverKey: subject, text }) =>
    activity.recorder.happened([{ about: 'server', subject, text, tone: 'quiet' }]),
  );
  const setPort = await openPort({ ...common, ...resources, ...endpoints });
  const { counter } = endpoints;
  const uses = () => recentUses(resources.kept.uses, counter, clock);
  const search = openSearch({ ...common, ...resources, ...servers, ...endpoints, uses });
  later.search = search;
  await stayReachable({ ...common, hub: resources, servers, endpoint: endpoints.socket, place, listener });
  const { config, configured, secrets, guard, profiles, kept } = resources;
  const { sessions, resilience, router } = endpoints;
  return {
    ...servers,
    startedAt: clock.now(),
    clock,
    config,
    configured,
    resilience,
    serverRequests,
    router,
    calls,
    registry: kept.registry,
    secrets,
    activity,
    meter,
    access,
    guard,
    profiles,
    search,
    truth: { sessions, counter, uses: kept.uses },
    backup: createBackups(liveSetup({ ...common, ...resources, access, search, listener })),
    commands: openHubCommands({ ...common, ...resources, supervisor: servers.supervisor }),
    onClients: sessions.onChange,
    clients: () => sessions.views(),
    problems: () => problems.all(),
    endpoint: () => endpointOf(resources, endpoints),
    setPort,
    stop: () => opened.close(),
  };
}

type CommonOptions = HubResourcesOptions & { readonly calls: ActiveCalls };

/** Opens what observes calls and servers: activity, metrics, traces. */
function openObservers(common: CommonOptions, resources: HubResources, later: LaterRooms) {
  const { settings, ports } = common;
  const agentOf = (sessionId: string) =>
    isTesterSession(sessionId) ? testerName : later.access?.sessions.displayName(sessionId);
  return {
    traces: new Traces({ ...common, ...resources, version: settings.version, log: ports.logger }),
    meter: createMeter({
      agentOf: (sessionId) => agentOf(sessionId) ?? 'unknown',
      circuits: () => later.endpoints?.resilience.circuits.all() ?? [],
    }),
    activity: openActivity({
      ...common,
      ...resources,
      clients: () => later.endpoints?.sessions.views() ?? [],
      agentOf,
      agentName: (sessionId) => later.access?.sessions.agentName(sessionId),
      serverProtocol: (key) => serverProtocolOf(later.servers?.supervisor.servers.get(key)?.state),
    }),
  };
}

interface StayReachableOptions extends HubResourcesOptions {
  readonly hub: HubResources;
  readonly servers: HubServers;
  readonly endpoint: HubEndpoints['socket'];
  readonly place: SocketPlace;
  readonly listener: HubListener;
}

/** Lets bridges find the hub again if somebody deletes or replaces its files. */
async function stayReachable(options: StayReachableOptions): Promise<void> {
  const { hub, servers, ports, settings, listener, opened } = options;
  const reachability = await Reachability.start({
    ...options,
    onRunFolderLost: () => rewriteRunFiles(hub, settings),
    onFolderLost: async () => {
      await rewriteFiles(hub);
      servers.rewriteCatalogue();
      await listener.folderLost();
    },
    onReplaced: (problem) => ports.replaced?.(problem),
    log: ports.logger,
  });
  opened.defer(() => reachability.stop());
}

function statusOf({ config, guard }: HubResources, { catalogue, supervisor, sync }: HubServers): string {
  const { servers: configured, problem } = config.state;
  return statusText(configured, supervisor.servers, {
    catalogue: catalogue.current,
    problem,
    held(key) {
      const { waiting, blocked } = guard.counts(key) ?? { waiting: 0, blocked: 0 };
      return waiting + blocked;
    },
    warnings: (key) => sync.warnings(key),
  });
}

function endpointOf({ token }: HubResources, { http }: HubEndpoints): ReturnType<RunningHub['endpoint']> {
  return http.port === undefined ? undefined : { url: `http://127.0.0.1:${http.port}/mcp`, token };
}

function openServerRequests(
  { clock, calls, opened }: CommonOptions,
  { supervisor }: HubServers,
  { recorder }: HubActivity,
): ServerRequests {
  const { instances } = supervisor;
  const serverRequests = new ServerRequests({ supervisor, instances, calls, clock, listeners: [recorder] });
  opened.defer(() => serverRequests.dispose());
  return serverRequests;
}

function openAccess(
  { ports, settings, clock, opened }: CommonOptions,
  { granted, limits, paths, config, secrets, token }: HubResources,
  { catalogue }: HubServers,
): HubAccess {
  const known = new KnownSecrets();
  return new HubAccess({
    resources: granted,
    limits,
    newClients: settings.newClients ?? 'everything',
    askDestructive: settings.askDestructive ?? false,
    catalogue: () => catalogue.current,
    show: (message) => {
      known.learn({ config, secrets, endpoint: () => ({ url: '', token }) });
      return shownArguments(message, known.mask);
    },
    file: paths.openClients,
    clock,
    log: ports.logger,
    opened,
  });
}

type PortOptions = HubResourcesOptions & Pick<HubResources, 'lock'> & Pick<HubEndpoints, 'http'>;

/**
 * Opens the port in the settings. While another program uses it, tries again until it is free or another one
 * has been chosen. Returns what chooses another one.
 */
async function openPort(options: PortOptions): Promise<(port: number) => Promise<void>> {
  const { settings, clock, http, problems, opened } = options;
  const queue = new SerialQueue();
  const setPort = (port: number) => queue.run(() => listen(options, port));
  await setPort(settings.port).catch((error: unknown) => {
    problems.set('http', toProblem(error));
    const attempts = every(clock, portAttemptMs, () => {
      if (http.port === undefined) void queue.run(attempt).catch(() => undefined);
      else attempts.dispose();
    });
    const attempt = async () => {
      if (http.port === undefined) await listen(options, settings.port);
    };
    opened.defer(async () => {
      attempts.dispose();
      await queue.run(async () => {});
    });
  });
  return setPort;
}

/** Milliseconds between two attempts to open a port that another program uses. */
const portAttemptMs = 2000;

async function listen({ lock, http, problems }: PortOptions, port: number): Promise<void> {
  await http.listen(port);
  await lock.update({ port });
  problems.set('http', undefined);
}

/** Returns the address and its token; throws ProblemError if there is none. */
export function connectionOf(hub: Pick<RunningHub, 'endpoint'>) {
  const endpoint = hub.endpoint();
  if (endpoint === undefined) throw new ProblemError(notServing());
  return endpoint;
}

/** Explains why there is no address. */
export function notServing(): Problem {
  const sentence = 'The HTTP endpoint is not running.';
  const fix = 'Choose a free port: under Settings in the window, or with "patchbay serve --port".';
  return problem('hub.port_in_use', sentence, fix);
}
