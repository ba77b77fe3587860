import type { ServerHealth } from '../../../../shared/model/server/health.ts';
import type { ServerEra, ServerView } from '../../../../shared/model/server/server.ts';
import { startingText } from '../../../../shared/model/server/starting.ts';
import type { ServerRecord } from '../contract.ts';
import type { ServerAnswer, ServerInfo } from '../schema/server.ts';

/** Returns the PRD's status of a server, and a reason where the status alone is unclear. */
export function serverInfo(
  { id, key }: Pick<ServerRecord, 'id' | 'key'>,
  view: ServerView | undefined,
): ServerInfo {
  if (view === undefined) {
    return {
      id,
      name: key,
      status: 'DISCONNECTED',
      status_reason: 'It is registered, but not in the config.',
    };
  }
  const reason = reasonsOf(view).join(' ');
  return {
    id,
    name: key,
    status: statuses[view.status],
    ...(reason === '' ? {} : { status_reason: reason }),
  };
}

const statuses = {
  disabled: 'DISCONNECTED',
  disconnected: 'DISCONNECTED',
  connecting: 'CONNECTING',
  connected: 'CONNECTED',
  degraded: 'DEGRADED',
  'needs-auth': 'ERROR',
  error: 'ERROR',
} as const;

/** Lists the same reasons as `patchbay status`, in the same order. */
function reasonsOf(view: ServerView): readonly string[] {
  const { status, problem, asleep, warnings } = view;
  const reasons = (problem === undefined ? warnings : [problem, ...warnings]).map(({ sentence }) => sentence);
  if (problem !== undefined) return reasons;
  if (status === 'disabled') return ['It is turned off.', ...reasons];
  if (status === 'connecting') return [`Starting: ${startingText(view)}`, ...reasons];
  if (status === 'needs-auth') return ['It needs a sign-in.', ...reasons];
  return asleep === undefined ? reasons : ['It is asleep until its next call.', ...reasons];
}

/** Tells whether tools can be called: the server is connected, or a call connects it. */
export function isUsable({ status, asleep }: ServerView): boolean {
  return status === 'connected' || status === 'degraded' || asleep !== undefined;
}

export function serverAnswer(record: ServerRecord, view: ServerView): ServerAnswer {
  const version = record.version ?? view.serverInfo?.version;
  return {
    ...serverInfo(record, view),
    transport_type: transports[view.transport],
    registered_at: time(record.registeredAt),
    enabled: view.enabled,
    tool_count: view.counts.tools,
    active_calls: view.activeCalls,
    restarts: view.restarts,
    ...(record.description === undefined ? {} : { description: record.description }),
    ...(view.connectedAt === undefined ? {} : { connected_at: time(view.connectedAt) }),
    ...(version === undefined ? {} : { version }),
    ...(view.era === undefined ? {} : { protocol: protocolAnswer(view.era) }),
    ...(view.health === undefined ? {} : { health: healthAnswer(view.health) }),
  };
}

export function protocolAnswer({ era, version, reason }: ServerEra): NonNullable<ServerAnswer['protocol']> {
  return { version, stateless: era === 'modern', reason };
}

const transports = { stdio: 'STDIO', sse: 'SSE', http: 'HTTP' } as const;

export function healthAnswer(health: ServerHealth): NonNullable<ServerAnswer['health']> {
  return {
    last_check_at: time(health.lastCheckAt),
    checked_by: health.by,
    consecutive_failures: health.misses,
    error_rate: health.errorRate,
    ...(health.lastOkAt === undefined ? {} : { last_ok_at: time(health.lastOkAt) }),
    ...(health.responseMs === undefined ? {} : { response_time_ms: health.responseMs }),
  };
}

export function time(at: number): string {
  return new Date(at).toISOString();
}
