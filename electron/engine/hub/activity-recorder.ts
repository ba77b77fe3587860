import { activityLimits } from '../../../shared/model/activity/activity.ts';
import { ActivityWriter } from '../activity/activity-writer.ts';
import type { ActivityWorkerThread } from '../activity/contract.ts';
import { createKnownClients, type KnownClientsOptions } from '../activity/known-clients.ts';
import { Recorder } from '../activity/recorder.ts';
import { activityWorkerFrom } from '../activity/start-activity-worker.ts';
import type { ActivityBounds } from '../activity/store/activity.ts';
import type { Clock } from '../base/clock.ts';
import type { CloseStack } from '../base/close-stack.ts';
import type { Problems } from '../base/problems.ts';
import type { Supervisor } from '../servers/contract.ts';
import { secretsOf } from '../servers/log/secret-values.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import type { HubResources } from './hub-resources.ts';

export interface HubActivityOptions
  extends Pick<HubResources, 'paths' | 'config' | 'secrets' | 'token' | 'limits'>,
    KnownClientsOptions {
  readonly ports: EnginePorts;
  readonly settings: EngineConfig;
  readonly clock: Clock;
  readonly problems: Problems;
  readonly opened: CloseStack;
  /** Returns how a server speaks, in words. */
  readonly serverProtocol: (serverKey: string) => string | undefined;
}

/** Recording of activity: the recorder collects it, the writer stores it. */
export interface HubActivity {
  readonly recorder: Recorder;
  readonly writer: ActivityWriter;
}

export function openActivity(options: HubActivityOptions): HubActivity {
  const { ports, settings, paths, config, secrets, clock, problems, opened } = options;
  const writer = new ActivityWriter({
    start: ports.activityWorker === undefined ? noWorker : activityWorkerFrom(ports.activityWorker),
    file: paths.activity,
    bounds: storedActivityLimits,
    audit: {
      file: paths.audit,
      journal: paths.auditJournal,
      bounds: () => ({ days: options.limits.current.auditRetentionDays, bytes: maxAuditBytes }),
    },
    clock,
    secrets: () => knownSecrets(options),
    report: (about, problem) => problems.set(about, problem),
  });
  const clients = createKnownClients(options);
  const recorder = new Recorder({
    clock,
    clientName: (sessionId) => clients(sessionId).name,
    clientProtocol: (sessionId) => clients(sessionId).protocol,
    serverProtocol: options.serverProtocol,
    agentOf: options.agentOf,
    isWatched: () => writer.isWatched,
    send: (batch) => writer.add(batch),
    report: (error) =>
      ports.logger.log('error', 'Some activity could not be recorded', { error: String(error) }),
  });
  recorder.switch(settings.recordActivity ?? false);
  recorder.audit(settings.audit ?? false);
  for (const changes of [config.onChange, secrets.onChange]) changes(() => writer.secretsChanged());
  opened.defer(() => writer.close());
  opened.defer(() => {
    recorder.note({ kind: 'hub', action: 'stopped', actor: 'hub', outcome: 'ok' });
    recorder.dispose();
  });
  return { recorder, writer };
}

const storedActivityLimits: ActivityBounds = {
  rows: activityLimits.rows,
  size: activityLimits.megabytes * 1024 ** 2,
  age: activityLimits.days * 24 * 60 * 60 * 1_000,
};

/** Enough for some millions of calls; older ones are deleted early beyond it. */
const maxAuditBytes = 2 * 1024 ** 3;

function noWorker(): ActivityWorkerThread {
  throw new Error('there is no program for it');
}

/**
 * Returns what servers get in their environment and headers, the secrets these refer to, and the token of our
 * own endpoint.
 */
function knownSecrets({ config, secrets, token }: HubActivityOptions): readonly string[] {
  return [
    token,
    ...secrets.known.flatMap(({ name }) => secrets.get(name) ?? []),
    ...config.state.servers.flatMap(secretsOf),
  ];
}

/** Counts the notifications that servers send. */
export function countNotifications({ onNotification, instances }: Supervisor, recorder: Recorder): void {
  onNotification(({ key, notification: { method } }) => recorder.notified({ serverKey: key, method }));
  instances.onNotification(({ server, notification: { method } }) =>
    recorder.notified({ serverKey: server.key, method }),
  );
}
