import { type Problem, ProblemError, problem } from '../../../../shared/error/problem.ts';
import type { ActiveCall } from '../../../../shared/model/activity/call.ts';
import type { HubView } from '../../../../shared/model/hub/hub.ts';
import type { ServerView } from '../../../../shared/model/server/server.ts';
import type { ToolDetail, ToolSummary } from '../../../../shared/model/tool/tool.ts';
import { systemClock } from '../../base/clock.ts';
import { chooseProfile } from '../../catalogue/client-facts.ts';
import { unknownServer, unknownTool } from '../../catalogue/unknown-names.ts';
import { canonicalId, wireName } from '../../catalogue/wire-name.ts';
import type { ConfiguredServer } from '../../config/contract.ts';
import { isTesterSession, testerName } from '../../routing/tester-session.ts';
import { signInTarget } from '../../secrets/sign-ins.ts';
import type { SupervisedServer } from '../../servers/contract.ts';
import { dataPaths } from '../../store/files/data-dir.ts';
import type { OAuthServer } from '../../transport/oauth/contract.ts';
import type { EngineConfig } from '../contract.ts';
import type { RunningHub } from '../running-hub.ts';
import { optionWarnings } from './option-warnings.ts';
import { serverView } from './server-view.ts';
import { sharedStateWarning } from './shared-state-warning.ts';
import { toolSummaries, toolSummary } from './tool-view.ts';

/** Returns the view of the hub; `startProblems` say why it does not run. */
export function hubView(
  settings: Pick<EngineConfig, 'dataDir' | 'version'>,
  hub?: RunningHub,
  startProblems: readonly Problem[] = [],
): HubView {
  const endpoint = hub?.endpoint();
  return {
    version: settings.version,
    pid: process.pid,
    startedAt: hub?.startedAt ?? systemClock.now(),
    dataDir: settings.dataDir,
    configFile: dataPaths(settings.dataDir).config,
    revision: hub?.catalogue.current.revision ?? 0,
    problems: [...startProblems, ...(hub?.problems() ?? [])],
    ...(endpoint === undefined ? {} : { endpoint: endpoint.url }),
    ...(hub === undefined ? {} : { secretsKeptBy: hub.secretsKeptBy }),
  };
}

/** Returns the views of all servers, in config order. */
export function serverViews(hub: RunningHub): readonly ServerView[] {
  return hub.config.state.servers.flatMap(({ key }) => serverOf(hub, key) ?? []);
}

export function serverOf(hub: RunningHub, key: string): ServerView | undefined {
  const configured = hub.configured(key);
  if (configured === undefined) return undefined;
  const supervised = hub.supervisor.servers.get(key);
  const catalogued = cataloguedOf(hub, key);
  const auth = hub.signIns.view(key);
  const shared = sharedStateWarning(configured, catalogued?.offer.serverInfo, hub.tracker.users(key));
  return serverView({
    configured,
    instances: hub.supervisor.instances.of(key),
    heldTools: hub.guard.counts(key),
    openCircuits: hub.resilience.circuits.open(key),
    warnings: [
      ...(configured.warnings ?? []),
      ...optionWarnings(configured, {
        configured: hub.configured,
        catalogued: (other) => cataloguedOf(hub, other),
      }),
      ...initializeWarnings(supervised),
      ...hub.sync.warnings(key),
      ...(shared === undefined ? [] : [shared]),
    ],
    knowsTools: hub.sync.knowsTools(key),
    now: hub.clock.now(),
    memorySaved: hub.sleepSavings.of(key),
    health: hub.health.health(key),
    healthProblem: hub.health.problem(key),
    ...(supervised === undefined ? {} : { supervised }),
    ...(catalogued === undefined ? {} : { catalogued }),
    ...(auth === undefined ? {} : { auth }),
  });
}

function initializeWarnings(server: SupervisedServer | undefined): readonly Problem[] {
  const state = server?.state;
  return state !== undefined && 'connection' in state ? (state.connection.handshake.warnings ?? []) : [];
}

/** Throws ProblemError for a server that is unknown or has no sign-in. */
export function signInServer(hub: RunningHub, key: string): OAuthServer {
  const configured = hub.configured(key);
  if (configured === undefined) throw new ProblemError(unknownServer(key));
  return signInTarget(configured);
}

/** Returns the address of an active sign-in; throws ProblemError if there is none. */
export function signInLink(hub: RunningHub, key: string): string {
  const link = hub.signIns.pendingUrl(key);
  if (link !== undefined) return link;
  const sentence = `No sign-in to ${key} is in progress.`;
  throw new ProblemError(problem('server.sign_in_failed', sentence, 'Sign in again.', { server: key }));
}

/** Returns the client requests that servers are working on. */
export function activeCalls(hub: RunningHub): readonly ActiveCall[] {
  const names = new Map(hub.clients().map(({ id, name }) => [id, name]));
  const nameOf = (sessionId: string) =>
    isTesterSession(sessionId)
      ? testerName
      : (names.get(sessionId) ?? hub.access.sessions.displayName(sessionId) ?? 'a disconnected client');
  return hub.calls.views(nameOf);
}

export function toolsOf(hub: RunningHub, key: string): readonly ToolSummary[] {
  const catalogued = cataloguedOf(hub, key);
  return catalogued === undefined
    ? []
    : toolSummaries(catalogued, catalogued.disabledTools, (name) => hub.guard.passed(key, name));
}

/** Throws ProblemError `call.unknown_tool`. */
export function toolDetail(hub: RunningHub, serverKey: string, name: string): ToolDetail {
  const catalogued = cataloguedOf(hub, serverKey);
  const definition = catalogued?.offer.tools.find((tool) => tool.name === name);
  if (catalogued === undefined || definition === undefined)
    throw new ProblemError(unknownTool(serverKey, name));
  const { budget } = chooseProfile({ programDefault: 'safe' });
  return {
    ...toolSummary(catalogued, name, definition, !catalogued.disabledTools.has(name), () =>
      hub.guard.passed(serverKey, name),
    ),
    canonicalId: canonicalId(serverKey, name),
    safeName: wireName('safe', budget, serverKey, name),
    definition: { ...definition },
  };
}

/** Returns the process ids of the running servers, including those of single clients. */
export function pids({ supervisor }: RunningHub): ReadonlyMap<string, readonly number[]> {
  const running = [...supervisor.servers.values()].map((server) => {
    const all = [server, ...supervisor.instances.of(server.key)];
    return [server.key, all.flatMap(pidOf)] as const;
  });
  return new Map(running.filter(([, roots]) => roots.length > 0));
}

function pidOf({ state }: SupervisedServer): readonly number[] {
  return 'pid' in state && state.pid !== undefined ? [state.pid] : [];
}

/**
 * Returns the keys whose tool views may have changed with the config: new or removed servers, and those with
 * other tools switched on.
 */
export function keysWithOtherTools(
  before: readonly ConfiguredServer[],
  after: readonly ConfiguredServer[],
): readonly string[] {
  const switches = (servers: readonly ConfiguredServer[]) =>
    new Map(
      servers.map(({ key, enabled, disabledTools, enabledTools }) => [
        key,
        JSON.stringify([enabled, [...disabledTools], enabledTools && [...enabledTools]]),
      ]),
    );
  const older = switches(before);
  const newer = switches(after);
  return [...new Set([...older.keys(), ...newer.keys()])].filter((key) => older.get(key) !== newer.get(key));
}

/** Throws ProblemError for an unknown key. */
export function serverNamed({ supervisor }: RunningHub, key: string): SupervisedServer {
  const server = supervisor.servers.get(key);
  if (server === undefined) throw new ProblemError(unknownServer(key));
  return server;
}

function cataloguedOf(hub: RunningHub, key: string) {
  const { servers, off } = hub.catalogue.current;
  return [...servers, ...off].find((server) => server.key === key);
}

/** Returns the facts of a running hub for a support bundle. */
export function supportFacts(hub: RunningHub) {
  const configured = hub.config.state.servers;
  const servers = configured.flatMap(({ key }) => {
    const view = serverOf(hub, key);
    return view === undefined ? [] : [{ view, log: hub.supervisor.servers.get(key)?.log.lines ?? [] }];
  });
  return { configured, servers, clients: hub.clients() };
}
