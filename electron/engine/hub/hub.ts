import type { AuditNote } from '../../../shared/model/activity/audit.ts';
import { describeAccessEvent } from '../access/describe-access-event.ts';
import { describeHappening } from '../activity/audit/describe-happening.ts';
import { Rest } from '../api/rest.ts';
import { restoreSettings } from '../backup/restore-settings.ts';
import { delay, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/emitter.ts';
import { Limits } from '../config/limits/limits.ts';
import { KnownSecrets, maskView } from '../secrets/known-secrets.ts';
import { supportBundle } from '../support/support-bundle.ts';
import { createAdminService } from './admin/admin-service.ts';
import { applySettings } from './apply-settings.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import { createFeeds, type Feeds, feedListener } from './feeds.ts';
import { followHappenings } from './happenings.ts';
import { wakeUp } from './health.ts';
import type { Hub, HubEvents } from './hub-contract.ts';
import { hubEvents } from './hub-events.ts';
import type { HubListener } from './hub-listener.ts';
import { createHubParts, type HubParts } from './hub-parts.ts';
import { operationHandlers } from './operation-handlers.ts';
import { operationRunner } from './run-operation.ts';
import { connectionOf, type RunningHub, startRunningHub } from './running-hub.ts';
import * as views from './view/views.ts';

/**
 * Starts a hub on its data folder: locks the folder, ends what a killed hub left, starts the servers, opens
 * the endpoints; resolves when clients can connect. Rejects with ProblemError if the folder is unusable or
 * another hub owns it, leaving nothing open. A port in use does not prevent the start; it becomes a problem
 * of the hub's view.
 */
export function startHub(ports: EnginePorts, config: EngineConfig): Promise<Hub> {
  // Commands and REST calls wait while the hub opens.
  const whole: Promise<WholeHub> = openHub(ports, config, () => whole);
  return whole.then(({ hub }) => hub);
}

interface WholeHub {
  readonly hub: Hub;
  readonly running: RunningHub;
  /** Masks secrets that servers were given and repeat in their own texts. */
  readonly mask: <T>(view: T) => T;
}

async function openHub(
  ports: EnginePorts,
  config: EngineConfig,
  whole: () => Promise<WholeHub>,
): Promise<WholeHub> {
  const { limits = new Limits() } = config;
  const feeds = createFeeds(systemClock, {
    hub: () => views.hubView(config, running),
    order: () => running.config.state.servers.map(({ key }) => key),
    server: (key) => views.serverOf(running, key),
    tools: (key) => views.toolsOf(running, key),
  });
  const listener: HubListener = {
    ...createDoors(ports, { ...config, limits }, whole),
    ...feedListener(feeds),
    settingsRestored: (text) =>
      restoreSettings({ apply: hub.applySettings, port: ports.settings, config }, text),
    checksRestored: () => parts.checks.reload(),
    folderLost: () => renewLauncher(),
  };
  const renewLauncher = () =>
    parts.connector.renewLauncher().catch((error: unknown) => {
      ports.logger.log('warn', 'Could not write the program that clients start.', { error });
    });
  const running = await startRunningHub(ports, { ...config, limits }, listener);
  const parts = createHubParts(ports, config, running);
  const hub = createHub({ ports, config, limits, running, parts, feeds, rest: listener.rest });
  // Clients that a person sets up by hand start this program too, so it needs no connected client.
  if (config.bridge !== undefined) void renewLauncher();
  void parts.connector.check().catch((error: unknown) => {
    ports.logger.log('warn', 'Could not check the configs of clients.', { error });
  });
  // Listeners that subscribe from now on have missed the changes made while the hub opened.
  feeds.markHub();
  for (const { key } of running.config.state.servers) listener.offerChanged(key);
  return { hub, running, mask: maskWith(running) };
}

/** Creates what answers programs besides the window: REST, and commands over the socket. */
function createDoors(
  { logger }: EnginePorts,
  { version, limits }: EngineConfig & { readonly limits: Limits },
  whole: () => Promise<WholeHub>,
): Pick<HubListener, 'rest' | 'admin'> {
  return {
    rest: new Rest(logger, {
      load: loadApiPorts,
      ports: async () => {
        const { createApiPorts } = await loadApiPorts();
        return createApiPorts({ ...(await whole()), limits, version, log: logger });
      },
    }),
    admin: createAdminService(async () => {
      const { hub, mask } = await whole();
      return { run: hub.run, mask };
    }),
  };
}

const loadApiPorts = () => import('./api-ports.ts');

interface HubContext {
  readonly ports: EnginePorts;
  readonly config: EngineConfig;
  readonly limits: Limits;
  readonly running: RunningHub;
  readonly parts: HubParts;
  readonly feeds: Feeds;
  readonly rest: HubListener['rest'];
}

function createHub({ ports, config, limits, running, parts, feeds, rest }: HubContext): Hub {
  const { access, activity, health, profiles, supervisor } = running;
  const note = ({ kind, action, outcome = 'ok', actor = 'window', ...about }: AuditNote) =>
    activity.recorder.note({ kind, action, outcome, ...about, actor });
  const events = hubEvents(running, parts, feeds);
  recordEvents(running, events, note);
  const run = operationRunner(
    operationHandlers({ hub: running, ports, settings: config, limits, ...parts }),
    note,
  );
  let stopped: Promise<void> | undefined;
  return {
    run,
    events,
    view: () => views.hubView(config, running),
    servers: () => views.serverViews(running),
    tools: () => running.config.state.servers.flatMap(({ key }) => views.toolsOf(running, key)),
    clients: () => running.clients(),
    access: () => access.view(),
    approvals: () => access.approvals.list(),
    profiles: () => profiles.view(),
    activeCalls: () => views.activeCalls(running),
    connection: () => connectionOf(running),
    support: (program) =>
      supportBundle(
        program,
        { ports, settings: config, view: views.hubView(config, running) },
        views.supportFacts(running),
      ),
    watchLog: (key, listener) => views.serverNamed(running, key).log.onLines(listener),
    watchHealth: (key, listener) => health.onHistory(views.serverNamed(running, key).key, listener),
    watchUsage: parts.usage.onUsage,
    watchActivity: (listener) => activity.writer.onAdded(listener),
    applySettings: (from, to) => applySettings({ running, limits, run, note }, from, to),
    applyAskDestructive: (isOn) => access.askDestructive(isOn),
    note,
    checkClients: () => parts.connector.check(),
    wokeUp: () => wakeUp(running),
    drain: (milliseconds) => supervisor.drain(milliseconds),
    resume: () => supervisor.resume(),
    stop() {
      stopped ??= stop(running, [rest, feeds, ...Object.values(parts)]);
      return stopped;
    },
  };
}

/** Records changes of access and of what runs. */
function recordEvents(running: RunningHub, events: HubEvents, note: (note: AuditNote) => void): void {
  running.access.service.onEvent((event) => note(describeAccessEvent(event)));
  note({ kind: 'hub', action: 'started', actor: 'hub' });
  followHappenings(events, views.serverViews(running), (happenings) => {
    running.activity.recorder.happened(happenings);
    for (const one of happenings.map(describeHappening)) if (one !== undefined) note(one);
  });
}

async function stop(running: RunningHub, parts: readonly Disposable[]): Promise<void> {
  // Answers to calls that waited for approval have to reach their clients.
  if (running.access.approvals.refuseAll()) await delay(systemClock, answerMs);
  for (const part of parts) part.dispose();
  await running.stop();
}

function maskWith(running: RunningHub): <T>(view: T) => T {
  const secrets = new KnownSecrets();
  return (view) => {
    secrets.learn(running);
    return maskView(view, secrets.mask);
  };
}

/** Milliseconds for pending answers to be sent. */
const answerMs = 200;
