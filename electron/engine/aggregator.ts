import { type ChildServerError, toChildServerError } from '../../shared/error/child-server-error.ts';
import type { Problem } from '../../shared/error/problem.ts';
import type { NameStyle } from '../../shared/model/client/client.ts';
import type { HubIdentity } from '../../shared/model/client/initialize-result.ts';
import { systemClock } from './base/clock.ts';
import type { Logger } from './base/logger.ts';
import { maxMessageBytesOf } from './catalogue/client-facts.ts';
import { LinkedResources } from './catalogue/linked-resources.ts';
import { LiveCatalogue } from './catalogue/live-catalogue.ts';
import { createView } from './catalogue/view/view.ts';
import type { StrictConfig } from './config/contract.ts';
import { createViews } from './gateway/session/catalogue/views.ts';
import { createSession } from './gateway/session/session.ts';
import { statusText } from './hub/view/status-text.ts';
import type { Transport } from './jsonrpc/transport.ts';
import { ActiveCalls } from './routing/active-calls.ts';
import { Router } from './routing/router.ts';
import { ServerRequests } from './routing/server-requests/server-requests.ts';
import type { SupervisedServer } from './servers/contract.ts';
import { createSupervisor } from './servers/lifecycle/supervisor.ts';
import { createCatalogueSync } from './servers/listing/catalogue-sync.ts';
import type { ServerConfig } from './servers/server-config.ts';
import { limitMessages } from './transport/limited-transport.ts';
import { ClientEraTransport } from './transport/modern/client/client-era-transport.ts';
import type { EraSetting } from './transport/modern/era.ts';

export type { Logger } from './base/logger.ts';
export type { StrictConfig } from './config/contract.ts';
export { readStrictConfig } from './config/validate/strict.ts';
export { drainToParent } from './transport/stdio/drain-options.ts';
export { createStreamTransport } from './transport/stdio/stream-transport.ts';

export interface AggregatorOptions {
  readonly config: StrictConfig;
  /** Marks the child processes as started by this program, see shared/model/server/loop.ts. */
  readonly instanceId: string;
  readonly identity: HubIdentity;
  readonly askedStyle?: NameStyle;
  /** How the client speaks; found out by default. */
  readonly protocol?: EraSetting | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  readonly transport: Transport;
  /** Called once for each failure of a child, at start or later. */
  readonly onChildFailure: (error: ChildServerError) => void;
}

export interface Aggregator {
  /** Starts all children in parallel and serves the client at once. */
  start(): Promise<void>;
  /**
   * Resolves when every child has been listed or has failed; false only if there are children and all failed.
   */
  started(): Promise<boolean>;
  /** Resolves when the client has disconnected. */
  readonly clientGone: Promise<void>;
  /** Ends the session and every child with its whole process tree; idempotent. */
  stop(): Promise<void>;
}

/**
 * Runs the specification's command: many children, one client, no hub. A child that fails stays down and its
 * tools leave the list at once (FR-009).
 */
export function createAggregator(options: AggregatorOptions): Aggregator {
  const clock = systemClock;
  const { logger: log, config } = options;
  const catalogue = new LiveCatalogue({ clock });
  const supervisor = createSupervisor({
    clock,
    logger: log,
    env: async () => options.env,
    version: options.identity.version,
    instanceId: options.instanceId,
  });
  const sync = createCatalogueSync({
    clock,
    supervisor,
    catalogue,
    keep: 'while-connected',
    onChange: (key) => {
      for (const warning of sync.warnings(key))
        log.log('warn', warning.sentence, { server: key, code: warning.code });
    },
  });
  const configured = new Map(config.servers.map((server) => [server.key, server]));
  const links = new LinkedResources(() => catalogue.current);
  const calls = new ActiveCalls();
  const serverRequests = new ServerRequests({ supervisor, calls, clock, clients: 'one' });
  const session = createSession({
    transport: new ClientEraTransport(limitMessages(options.transport, maxMessageBytesOf), {
      clock,
      setting: options.protocol,
    }),
    via: 'stdio',
    catalogue,
    views: createViews(
      (whole, profile, memo) => createView(whole, profile, memo, (uri) => links.serverOf(uri)),
      'short',
    ),
    router: new Router({
      calls,
      supervisor,
      serverRequests,
      clock,
      optionsOf: (key) => configured.get(key),
      links,
    }),
    serverRequests,
    programDefault: 'colon',
    identity: options.identity,
    advertise: 'offered',
    ready: (part) => sync.settled(part),
    listed: (keys) => sync.listed(keys),
    status: () => {
      const servers = config.servers.map(({ key }) => ({ key, enabled: true }));
      return statusText(servers, supervisor.servers, { catalogue: catalogue.current });
    },
    log,
    clock,
    ...(options.askedStyle === undefined ? {} : { askedStyle: options.askedStyle }),
  });
  const clientGone = new Promise<void>((resolve) => {
    session.onClosed(resolve);
  });
  const failures = supervisor.onState(({ server }) => {
    const problem = failureOf(server);
    if (problem !== undefined) options.onChildFailure(toChildServerError(server.key, problem));
  });

  return {
    clientGone,
    async start() {
      catalogue.setServers(
        config.servers.map(({ key }) => ({
          key,
          enabled: true,
          disabledTools: new Set<string>(),
        })),
      );
      supervisor.apply(config.servers.map(desiredServerOf));
      await session.start();
    },
    async started() {
      await sync.settled();
      const servers = [...supervisor.servers.values()];
      return servers.length === 0 || servers.some((server) => failureOf(server) === undefined);
    },
    async stop() {
      failures.dispose();
      await session.close();
      await supervisor.shutdown();
      serverRequests.dispose();
      sync.dispose();
      catalogue.dispose();
    },
  };
}

type StrictServer = StrictConfig['servers'][number];

function desiredServerOf({ key, target, display, secrets, written }: StrictServer): ServerConfig {
  return {
    key,
    display,
    ...(secrets === undefined ? {} : { secrets }),
    ...(written === undefined ? {} : { written }),
    enabled: true,
    restart: 'never',
    revival: 'Fix the config if needed, then start this command again: it reads its config only once.',
    target: { ok: true, value: target },
    fingerprint: key,
  };
}

function failureOf({ state }: SupervisedServer): Problem | undefined {
  return 'problem' in state ? state.problem : undefined;
}
