import { type Problem, toProblem } from '../../../shared/error/problem.ts';
import type { ClientView } from '../../../shared/model/client.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { CloseStack } from '../base/close-stack.ts';
import type { Event } from '../base/emitter.ts';
import type { ConfigState, ConfigStore } from '../config/contract.ts';
import { createConfigStore } from '../config/store.ts';
import type { Resilience } from '../route/resilience/resilience.ts';
import { writeFileAtomic } from '../store/atomic-file.ts';
import { openDataDir } from '../store/data-dir.ts';
import { acquireInstanceLock } from '../store/instance-lock.ts';
import { loadOrCreateToken } from '../store/token.ts';
import { type HubCommands, openHubCommands } from './commands.ts';
import { type ConfiguredLookup, createConfiguredLookup } from './configured.ts';
import type { EngineConfig, EnginePorts, LaunchCommand } from './contract.ts';
import { type HubEndpoints, openHubEndpoints } from './endpoints.ts';
import { createKeptState } from './kept-state.ts';
import { knowEnvironment } from './known-environment.ts';
import { ProblemBoard } from './problem-board.ts';
import { type HubServers, openHubServers } from './servers.ts';

/** What the running hub tells its owner, who turns it into events. */
export interface HubListener {
  configChanged(state: ConfigState): void;
  serverChanged(key: string): void;
  offerChanged(key: string): void;
  hubChanged(): void;
}

/** The hub while it runs: its rooms, opened and joined. */
export interface RunningHub extends HubServers {
  readonly startedAt: number;
  readonly clock: Clock;
  readonly config: ConfigStore;
  readonly configured: ConfiguredLookup;
  readonly resilience: Resilience;
  readonly commands: HubCommands;
  readonly onClients: Event<readonly ClientView[]>;
  clients(): readonly ClientView[];
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
  const problems = new ProblemBoard(() => listener.hubChanged());
  const paths = await openDataDir(settings.dataDir);
  const lock = await acquireInstanceLock(paths.hub, settings.version);
  opened.defer(() => lock.release());
  problems.set('launch', await rememberLaunch(paths.launch, settings.launch));
  const kept = createKeptState({ file: paths.state, clock, problems, opened });
  const token = await loadOrCreateToken(paths.token);
  const env = await knowEnvironment(ports, clock);
  const config = await createConfigStore({ file: paths.config, env: () => env.current, create: true });
  opened.defer(() => config.dispose());

  const configured = createConfiguredLookup(config);
  const common = { settings, clock, opened, configured };
  let endpoints: HubEndpoints | undefined;
  const servers = await openHubServers({
    ...common,
    ports,
    paths,
    env: env.current,
    isInUse: (id) => endpoints?.backchannel.isInUse(id) ?? false,
    problems,
    listener,
  });
  const follow = (state: ConfigState) => {
    servers.catalogue.arrange(state.servers);
    servers.supervisor.apply(state.servers);
    servers.health.settingsChanged();
    problems.set('config', state.problem);
    listener.configChanged(state);
  };
  config.onChange(follow);
  follow(config.state);
  // Variables that only the login shell sets count as soon as it has told them.
  void env.whole.then((late) => (late ? config.reload() : undefined)).catch(() => undefined);

  endpoints = await openHubEndpoints({
    ...common,
    socketPath: paths.socket,
    token,
    kept,
    servers,
    log,
  });
  const { sessions, http, resilience } = endpoints;
  let before = config.state.servers;
  config.onChange(({ servers: after }) => {
    // What is held against a server that is no more must not be held against one that gets its name.
    for (const { key } of before) if (configured(key) === undefined) resilience.circuits.reset(key);
    before = after;
  });
  resilience.circuits.onChange((key) => listener.serverChanged(key));
  sessions.onChange((clients) => servers.calls.keepUsers(new Set(clients.map(({ id }) => id))));
  const serveHttp = async (port: number) => {
    await http.listen(port);
    await lock.update({ port });
    problems.set('http', undefined);
  };
  await serveHttp(settings.port).catch((error: unknown) => problems.set('http', toProblem(error)));

  return {
    ...servers,
    startedAt: clock.now(),
    clock,
    config,
    configured,
    resilience,
    commands: openHubCommands({ ...common, ports, environment: env, config, supervisor: servers.supervisor }),
    onClients: sessions.onChange,
    clients: () => sessions.views(),
    problems: () => problems.all(),
    endpoint: () =>
      http.port === undefined ? undefined : { url: `http://127.0.0.1:${http.port}/mcp`, token },
    setPort: serveHttp,
    stop: () => opened.close(),
  };
}

/** Bridges find here how to start this program again. It is a convenience: without it the hub serves all the same. */
async function rememberLaunch(file: string, launch: LaunchCommand | undefined): Promise<Problem | undefined> {
  if (launch === undefined) return undefined;
  try {
    await writeFileAtomic(file, JSON.stringify(launch), { mode: 0o600 });
    return undefined;
  } catch (error) {
    return toProblem(error);
  }
}
