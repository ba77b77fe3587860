import { activityBounds } from '../../../shared/model/activity.ts';
import type { ClientView } from '../../../shared/model/client.ts';
import { clientTitle } from '../../../shared/model/client-title.ts';
import type { DeskThread } from '../activity/contract.ts';
import { Keeper } from '../activity/keeper.ts';
import { Recorder } from '../activity/recorder.ts';
import { deskIn } from '../activity/start-desk.ts';
import type { Clock } from '../base/clock.ts';
import type { CloseStack } from '../base/close-stack.ts';
import type { CallListener, CallRecord, QuestionListener } from '../route/contract.ts';
import type { ActivityBounds } from '../store/state/activity.ts';
import type { Supervisor } from '../supervise/contract.ts';
import { secretsOf } from '../supervise/secret-values.ts';
import type { EngineConfig, EnginePorts } from './contract.ts';
import type { Ground } from './ground.ts';
import type { PersonTime } from './person-time.ts';
import type { ProblemBoard } from './problem-board.ts';
import { isTesterSession, testerName } from './tester/identity.ts';

export interface HubActivityOptions
  extends Pick<Ground, 'paths' | 'config' | 'secrets' | 'token' | 'limits'> {
  readonly ports: EnginePorts;
  readonly settings: EngineConfig;
  readonly clock: Clock;
  /** How much of a call's time somebody was being asked. */
  readonly persons: Pick<PersonTime, 'of'>;
  readonly problems: ProblemBoard;
  readonly opened: CloseStack;
  /** Those that are connected. */
  readonly clients: () => readonly ClientView[];
  /** Whose session it is, for the audit log. */
  readonly agentOf: (sessionId: string) => string | undefined;
  /** What the agent is called whose session it is; undefined for a client's. */
  readonly agentName: (sessionId: string) => string | undefined;
  /** What its caller knows a call by. */
  readonly correlationOf: (call: CallRecord) => string | undefined;
}

/** What went through the hub: who takes note of it, and who keeps it. */
export interface HubActivity {
  readonly recorder: Recorder;
  readonly keeper: Keeper;
}

export function openActivity(options: HubActivityOptions): HubActivity {
  const { ports, settings, paths, config, secrets, clock, persons, problems, opened } = options;
  const keeper = new Keeper({
    start: ports.activityDesk === undefined ? noDesk : deskIn(ports.activityDesk),
    file: paths.activity,
    bounds,
    audit: {
      file: paths.audit,
      journal: paths.auditJournal,
      bounds: () => ({ days: options.limits.current.auditRetentionDays, bytes: mostAudit }),
    },
    clock,
    secrets: () => knownSecrets(options),
    report: (about, problem) => problems.set(about, problem),
  });
  const clientName = createClientNames(options);
  const recorder = new Recorder({
    clock,
    clientName,
    agentOf: options.agentOf,
    correlationOf: options.correlationOf,
    waitedIn: (call) => persons.of(call),
    isWatched: () => keeper.isWatched,
    send: (batch) => keeper.add(batch),
    report: (error) => ports.logger.log('error', 'Something was not recorded', { error: String(error) }),
  });
  recorder.switch(settings.recordActivity ?? false);
  recorder.audit(settings.audit ?? false);
  for (const changes of [config.onChange, secrets.onChange]) changes(() => keeper.secretsChanged());
  opened.defer(() => keeper.close());
  opened.defer(() => {
    recorder.note({ kind: 'hub', action: 'stopped', actor: 'hub', outcome: 'ok' });
    recorder.dispose();
  });
  return { recorder, keeper };
}

const bounds: ActivityBounds = {
  rows: activityBounds.rows,
  size: activityBounds.megabytes * 1024 ** 2,
  age: activityBounds.days * 24 * 60 * 60 * 1_000,
};

/** Some millions of calls: what is beyond it goes before its time. */
const mostAudit = 2 * 1024 ** 3;

function noDesk(): DeskThread {
  throw new Error('there is no program for it');
}

/** Whatever servers are started with or sent, what they refer to, and the token of our own endpoint. */
function knownSecrets({ config, secrets, token }: HubActivityOptions): readonly string[] {
  return [
    token,
    ...secrets.known.flatMap(({ name }) => secrets.get(name) ?? []),
    ...config.state.servers.flatMap(secretsOf),
  ];
}

/**
 * Names of sessions, also of those that have just ended: of one that did before it was met, the name it is known by. An agent's
 * has the agent's name, whatever program it uses.
 */
function createClientNames({
  clients,
  agentOf,
  agentName,
}: Pick<HubActivityOptions, 'clients' | 'agentOf' | 'agentName'>): (sessionId: string) => string | undefined {
  const names = new Map<string, string>();
  return (sessionId) => {
    if (isTesterSession(sessionId)) return testerName;
    if (names.has(sessionId)) return names.get(sessionId);
    for (const client of clients())
      if (client.name !== '') names.set(client.id, agentName(client.id) ?? clientTitle(client));
    for (const id of names.keys()) {
      if (names.size <= mostNames) break;
      names.delete(id);
    }
    const name = names.get(sessionId);
    const agent = name === undefined ? agentOf(sessionId) : undefined;
    return agent === undefined ? name : clientTitle({ name: agent });
  };
}

const mostNames = 1_000;

/** Both hear, the first one first. */
export function bothHear(first: CallListener, second: CallListener): CallListener {
  return {
    started(call) {
      first.started(call);
      second.started(call);
    },
    ended(call) {
      first.ended(call);
      second.ended(call);
    },
    strayed(stray) {
      first.strayed?.(stray);
      second.strayed?.(stray);
    },
  };
}

/** Both hear of what servers ask, the first one first. */
export function bothAsked(first: QuestionListener, second: QuestionListener): QuestionListener {
  return {
    asking(question) {
      first.asking?.(question);
      second.asking?.(question);
    },
    asked(question) {
      first.asked(question);
      second.asked(question);
    },
  };
}

/** What servers say of their own accord is counted. */
export function countNotices({ onNotification, instances }: Supervisor, recorder: Recorder): void {
  onNotification(({ key, notification: { method } }) => recorder.noticed({ serverKey: key, method }));
  instances.onNotification(({ server, notification: { method } }) =>
    recorder.noticed({ serverKey: server.key, method }),
  );
}
