import { type Problem, ProblemError, problem } from '../../../shared/error/problem.ts';
import type { AuditNote } from '../../../shared/model/activity/audit.ts';
import type { Settings } from '../../../shared/schema/settings.ts';
import { accessChanges } from '../access/access-operations.ts';
import { describeAccessEvent } from '../access/describe-access-event.ts';
import { breakersOf } from '../activity/audit/audit-operations.ts';
import { describeHappening } from '../activity/audit/describe-happening.ts';
import { Rest } from '../api/rest.ts';
import { restoreSettings } from '../backup/restore-settings.ts';
import { delay, systemClock } from '../base/clock.ts';
import type { Event } from '../base/emitter.ts';
import { createHubConnector } from '../clients/hub-connector.ts';
import type { ConfigState } from '../config/contract.ts';
import { Limits } from '../config/limits/limits.ts';
import { KnownSecrets, maskView } from '../secrets/known-secrets.ts';
import { secretChanges } from '../secrets/secret-operations.ts';
import { createUsageSampler } from '../servers/process/table/process-usage.ts';
import { dataPaths } from '../store/files/data-dir.ts';
import { supportBundle } from '../support/support-bundle.ts';
import { HubChecks } from '../tester/checks.ts';
import { HubTester } from '../tester/hub-tester.ts';
import { createAdminService } from './admin/admin-service.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import { createFeeds } from './feeds.ts';
import { followHappenings } from './happenings.ts';
import { wakeUp } from './health.ts';
import type { Hub, HubEvents } from './hub-contract.ts';
import type { HubListener } from './hub-listener.ts';
import { operationHandlers } from './operation-handlers.ts';
import { operationRunner } from './run-operation.ts';
import { type RunningHub, startRunningHub } from './running-hub.ts';
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
  const clock = systemClock;
  const { limits = new Limits() } = config;
  let configured: ConfigState['servers'] = [];
  const listener: HubListener = {
    rest: new Rest(ports.logger, {
      load: loadApiPorts,
      ports: async () => {
        const { createApiPorts } = await loadApiPorts();
        return createApiPorts({ ...(await whole()), limits, version: config.version, log: ports.logger });
      },
    }),
    admin: createAdminService(async () => {
      const { hub, mask } = await whole();
      return { run: hub.run, mask };
    }),
    configChanged({ servers }) {
      for (const key of views.keysWithOtherTools(configured, servers)) feeds.markTools(key);
      for (const { key } of [...configured, ...servers]) feeds.markServer(key);
      configured = servers;
    },
    serverChanged: (key) => feeds.markServer(key),
    offerChanged(key) {
      feeds.markServer(key);
      feeds.markTools(key);
    },
    hubChanged: () => feeds.markHub(),
    settingsRestored: (text) =>
      restoreSettings({ apply: hub.applySettings, port: ports.settings, config }, text),
    checksRestored: () => checks.reload(),
  };
  const feeds = createFeeds(clock, {
    hub: () => views.hubView(config, running),
    order: () => running.config.state.servers.map(({ key }) => key),
    server: (key) => views.serverOf(running, key),
    tools: (key) => views.toolsOf(running, key),
  });
  const running = await startRunningHub(ports, { ...config, limits }, listener);
  const { access, activity, catalogue, guard, health, profiles, resilience, search, supervisor } = running;
  const usage = createUsageSampler({ clock, pids: () => views.pids(running) });
  const connector = createHubConnector(ports, config, connection);
  const tester = new HubTester({ hub: running, clock, version: config.version });
  const checks = new HubChecks({ file: dataPaths(config.dataDir).checks, clock, tester, catalogue });
  const accessChanged = accessChanges(access, clock);

  const note = ({ kind, action, outcome = 'ok', actor = 'window', ...about }: AuditNote) =>
    activity.recorder.note({ kind, action, outcome, ...about, actor });
  access.service.onEvent((event) => note(describeAccessEvent(event)));
  note({ kind: 'hub', action: 'started', actor: 'hub' });

  const events: HubEvents = {
    'hub.changed': feeds.onHub,
    'servers.changed': feeds.onServers,
    'tools.changed': feeds.onTools,
    'clients.changed': mapped(running.onClients, (clients) => ({ clients })),
    'connect.changed': connector.onChange,
    'secrets.changed': secretChanges(running),
    'tester.progress': tester.onProgress,
    'tester.question': tester.onQuestion,
    'tester.questionEnded': tester.onQuestionEnded,
    'checks.changed': mapped(checks.onChange, (checks) => ({ checks })),
    'access.changed': accessChanged.event,
    'approvals.changed': mapped(access.approvals.onChange, (approvals) => ({ approvals })),
    'guard.changed': guard.onView,
    'profiles.changed': profiles.onChange,
    'breaker.changed': mapped(resilience.circuits.onChange, () => ({
      breakers: breakersOf(resilience.circuits),
    })),
    'skills.changed': search.onSkills,
    'meaning.changed': search.onMeaning,
  };
  followHappenings(events, views.serverViews(running), (happenings) => {
    activity.recorder.happened(happenings);
    for (const one of happenings.map(describeHappening)) if (one !== undefined) note(one);
  });

  function connection() {
    const endpoint = running.endpoint();
    if (endpoint === undefined) throw new ProblemError(notServing());
    return endpoint;
  }

  async function applySettings(from: Settings, to: Settings): Promise<void> {
    if (from.port !== to.port) await hub.run('hub.setPort', { port: to.port });
    if (from.newClients !== to.newClients) access.newClients = to.newClients;
    if (from.askDestructive !== to.askDestructive) access.askDestructive(to.askDestructive);
    if (from.recordActivity !== to.recordActivity) activity.recorder.switch(to.recordActivity);
    if (from.audit !== to.audit) recordAudit(to.audit);
    if (from.limits !== to.limits) limits.choose(to.limits);
  }

  function recordAudit(isOn: boolean): void {
    // The last entry records that auditing ends here.
    if (!isOn) note({ kind: 'hub', action: 'audit-off' });
    activity.recorder.audit(isOn);
    if (isOn) note({ kind: 'hub', action: 'audit-on' });
  }

  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    // Answers to calls that waited for approval have to reach their clients.
    if (access.approvals.refuseAll()) await delay(clock, answerMs);
    for (const part of [listener.rest, usage, connector, feeds, tester, checks, accessChanged])
      part.dispose();
    await running.stop();
  }

  const hub: Hub = {
    run: operationRunner(
      operationHandlers({ hub: running, ports, settings: config, connector, limits, tester, checks }),
      note,
    ),
    events,
    view: () => views.hubView(config, running),
    servers: () => views.serverViews(running),
    tools: () => running.config.state.servers.flatMap(({ key }) => views.toolsOf(running, key)),
    clients: () => running.clients(),
    access: () => access.view(),
    approvals: () => access.approvals.list(),
    profiles: () => profiles.view(),
    activeCalls: () => views.activeCalls(running),
    connection,
    support: (program) =>
      supportBundle(
        program,
        { ports, settings: config, view: views.hubView(config, running) },
        views.supportFacts(running),
      ),
    watchLog: (key, listener) => views.serverNamed(running, key).log.onLines(listener),
    watchHealth: (key, listener) => health.onHistory(views.serverNamed(running, key).key, listener),
    watchUsage: usage.onUsage,
    watchActivity: (listener) => activity.writer.onAdded(listener),
    applySettings,
    applyAskDestructive: (isOn) => access.askDestructive(isOn),
    note,
    checkClients: () => connector.check(),
    wokeUp: () => wakeUp(running),
    drain: (milliseconds) => supervisor.drain(milliseconds),
    resume: () => supervisor.resume(),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
  void connector.check().catch((error: unknown) => {
    ports.logger.log('warn', 'Could not check the configs of clients.', { error });
  });
  // Listeners that subscribe from now on have missed the changes made while the hub opened.
  feeds.markHub();
  for (const { key } of running.config.state.servers) listener.offerChanged(key);
  return { hub, running, mask: maskWith(running) };
}

const loadApiPorts = () => import('./api-ports.ts');

/** Maps an event's payload to another form. */
function mapped<A, B>(event: Event<A>, map: (payload: A) => B): Event<B> {
  return (listener) => event((payload) => listener(map(payload)));
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

/** Explains why there is no address. */
export function notServing(): Problem {
  const sentence = 'The HTTP endpoint is not running.';
  return problem('hub.port_in_use', sentence, 'Choose a free port in the settings.');
}
