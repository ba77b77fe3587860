import { hubIdentity, hubNameStyle } from '../../../shared/model/client/initialize-result.ts';
import { hubInstanceId } from '../../../shared/model/server/loop.ts';
import type { HubAccess } from '../access/hub-access.ts';
import type { Recorder } from '../activity/recorder.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { CloseStack } from '../base/close-stack.ts';
import type { Logger } from '../base/logger.ts';
import { LinkedResources } from '../catalogue/linked-resources.ts';
import { createView } from '../catalogue/view/view.ts';
import type { ConfiguredLookup } from '../config/configured-lookup.ts';
import type { ConfigStore } from '../config/contract.ts';
import type { Limits } from '../config/limits/limits.ts';
import { createHttpEndpoint, type HttpEndpoint } from '../gateway/http/http-endpoint.ts';
import type { HttpExtension } from '../gateway/http/http-requests.ts';
import { createViews } from '../gateway/session/catalogue/views.ts';
import type { ToolFinder } from '../gateway/session/session-contract.ts';
import { createSessionRegistry, type SessionRegistry } from '../gateway/session/session-registry.ts';
import type { AdminService } from '../gateway/socket/admin-session.ts';
import { createSocketEndpoint, type SocketEndpoint } from '../gateway/socket/socket-endpoint.ts';
import { mostUsed } from '../inspection/most-used.ts';
import { ToolUseCounter } from '../inspection/tool-use.ts';
import type { ToolGuard } from '../pinning/tool-guard.ts';
import type { ProfileStore } from '../profiles/profile-store.ts';
import type { ActiveCalls } from '../routing/active-calls.ts';
import { circuitRules, retryRules, withCallTimeout } from '../routing/limit-rules.ts';
import { Resilience } from '../routing/resilience/resilience.ts';
import { Router } from '../routing/router.ts';
import type { ServerRequests } from '../routing/server-requests/server-requests.ts';
import type { Meter } from '../telemetry/metrics/meter.ts';
import type { EngineConfig } from './contract.ts';
import type { Persistence } from './persistence.ts';
import type { HubServers } from './servers.ts';

export interface HubEndpointsOptions {
  readonly settings: EngineConfig;
  readonly socketPath: string;
  readonly token: string;
  readonly configured: ConfiguredLookup;
  readonly config: Pick<ConfigStore, 'state' | 'onChange'>;
  readonly servers: HubServers;
  readonly calls: ActiveCalls;
  readonly kept: Persistence;
  readonly limits: Limits;
  readonly access: HubAccess;
  readonly recorder: Recorder;
  readonly serverRequests: ServerRequests;
  readonly meter: Meter;
  readonly guard: ToolGuard;
  readonly profiles: ProfileStore;
  readonly admin: AdminService;
  /** Serves the REST API over the same HTTP endpoint. */
  readonly rest: HttpExtension;
  readonly clock: Clock;
  readonly log: Logger;
  /** Searches tools for clients in compact mode. */
  readonly find: ToolFinder;
  /** Describes the state of the servers as text. */
  readonly status: () => string;
  readonly opened: CloseStack;
}

/** The client side of a hub. */
export interface HubEndpoints {
  readonly sessions: SessionRegistry;
  readonly socket: SocketEndpoint;
  readonly http: HttpEndpoint;
  /** Retries, circuit breakers and fallbacks of tools. */
  readonly resilience: Resilience;
  readonly router: Router;
  /** Counts which clients call which tools. */
  readonly counter: ToolUseCounter;
}

/**
 * Opens the local socket; `listen` of the HTTP endpoint opens that one. On close, sessions end before their
 * endpoints.
 */
export async function openHubEndpoints(options: HubEndpointsOptions): Promise<HubEndpoints> {
  const { settings, configured, config, servers, kept, access, recorder, serverRequests, admin, clock, log } =
    options;
  const { opened, calls } = options;
  const { supervisor, catalogue, sync } = servers;
  const known = knownConfig(config, clock);
  const counter: ToolUseCounter = new ToolUseCounter({
    clock,
    store: kept.uses,
    clientName: (id) => sessions.find(id)?.clientName,
  });
  opened.defer(() => counter.dispose());
  opened.defer(() => calls.notifyLate());
  for (const listener of [servers.tracker, recorder, options.meter.calls, counter])
    calls.observeAfterAnswers(listener);
  const { version } = settings;

  const { limits } = options;
  const resilience = new Resilience({
    clock,
    retry: retryRules(limits),
    rules: circuitRules(limits),
    store: kept.breakers,
    onStoreError: (error) =>
      log.log('warn', 'Circuit breaker states could not be read or saved', { error: String(error) }),
  });
  await withTimeout(clock, resilience.circuits.restore());
  const { instances } = supervisor;
  const links = new LinkedResources(() => catalogue.current);
  const router = new Router({
    calls,
    serverRequests,
    supervisor,
    instances,
    clock,
    optionsOf: withCallTimeout(configured, limits),
    resilience,
    access: access.sessions,
    links,
  });
  opened.defer(() => router.dispose());
  const sessions: SessionRegistry = createSessionRegistry({
    catalogue,
    gate: options.guard,
    access: access.sessions,
    profiles: options.profiles,
    views: createViews(
      (whole, profile, memo) => createView(whole, profile, memo, (uri) => links.serverOf(uri)),
      'empty',
    ),
    status: options.status,
    find: options.find,
    ranking: (client) => mostUsed(kept.uses, clock, client),
    router,
    serverRequests,
    programDefault: hubNameStyle,
    identity: hubIdentity(version),
    ready: async (part) => {
      await known();
      await sync.settled(part);
    },
    listed: (keys) => sync.listed(keys),
    onRequest: (sessionId, method) => recorder.notified({ sessionId, method }),
    log,
    clock,
  });
  access.enforceWithdrawals(sessions, {
    all: () => calls.all(),
    cancel: ({ id }, why) => void calls.stop(id, why),
  });
  const socket = createSocketEndpoint({ path: options.socketPath, version, sessions, admin, log });
  const http = createHttpEndpoint({
    token: options.token,
    identify: (bearer) => access.service.identify(bearer)?.id,
    version,
    instanceId: hubInstanceId(settings.dataDir),
    sessions,
    hasServer: (key) => configured(key) !== undefined || config.state.isUnknown === true,
    hasProfile: (name) => options.profiles.has(name),
    extension: options.rest,
    store: kept.httpSessions,
    log,
    clock,
  });
  await socket.listen();
  opened.defer(() => socket.close());
  opened.defer(() => http.close());
  opened.defer(() => sessions.close());
  opened.defer(() => http.prepareShutdown());
  return { sessions, socket, http, resilience, router, counter };
}

/**
 * Resolves when the configured servers are known, or after a timeout. A config that is broken at start, with
 * no earlier one, is most likely still being written.
 */
function knownConfig(config: HubEndpointsOptions['config'], clock: Clock): () => Promise<void> {
  let known: Promise<void> | undefined;
  const waitForConfig = () =>
    new Promise<void>((resolve) => {
      const finish = () => {
        change.dispose();
        timer.dispose();
        resolve();
      };
      const change = config.onChange(({ isUnknown }) => {
        if (isUnknown === undefined) finish();
      });
      const timer = clock.after(configTimeoutMs, finish);
    });
  return () => {
    if (config.state.isUnknown === undefined) return Promise.resolve();
    known ??= waitForConfig();
    return known;
  };
}

const configTimeoutMs = 5_000;

/** Waits for restored circuit breakers, but not long: a slow database must not keep clients waiting. */
async function withTimeout(clock: Clock, restored: Promise<void>): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([restored, delay(clock, restoreTimeoutMs, timeout.signal)]);
  timeout.abort();
}

const restoreTimeoutMs = 1_000;
