import type { IpcEvent, IpcEventName } from '../../../shared/ipc/contract.ts';

/** Events waiting to be pushed, already merged: at most one per kind, and one log batch per server. */
export interface EventBatch {
  readonly latest: { readonly [N in StateEventName]?: IpcEvent<N> };
  readonly servers?: IpcEvent<'servers.changed'>;
  readonly tools?: IpcEvent<'tools.changed'>;
  readonly logs: ReadonlyMap<string, IpcEvent<'server.log'>['lines']>;
  readonly health: ReadonlyMap<string, IpcEvent<'server.health'>['samples']>;
  /** In order; for progress only the latest event of each run. */
  readonly tester: readonly TesterEvent[];
  readonly activity?: IpcEvent<'activity.added'>;
}

/** Events that carry the whole state, so that only the last one is needed. */
type StateEventName =
  | 'hub.changed'
  | 'clients.changed'
  | 'settings.changed'
  | 'process.usage'
  | 'connect.changed'
  | 'secrets.changed'
  | 'checks.changed'
  | 'guard.changed'
  | 'access.changed'
  | 'approvals.changed'
  | 'profiles.changed'
  | 'breaker.changed'
  | 'skills.changed'
  | 'meaning.changed'
  | 'update.changed';

export type BatchedEvent = {
  readonly [N in Exclude<IpcEventName, 'command.run'>]: { readonly name: N; readonly payload: IpcEvent<N> };
}[Exclude<IpcEventName, 'command.run'>];

/** Progress and questions of servers during tester runs. */
type TesterEvent = Extract<
  BatchedEvent,
  { readonly name: 'tester.progress' | 'tester.question' | 'tester.questionEnded' }
>;

export const emptyBatch: EventBatch = { latest: {}, logs: new Map(), health: new Map(), tester: [] };

/**
 * Maximum number of log lines per server between two pushes; a flood drops its oldest lines instead of
 * blocking the window.
 */
export const maxLogLinesPerPush = 500;

/** Maximum number of activity rows between two pushes. */
export const maxActivityRowsPerPush = 500;

/** Returns the batch with one more event merged in. */
export function mergeEvent(batch: EventBatch, event: BatchedEvent): EventBatch {
  switch (event.name) {
    case 'servers.changed':
      return { ...batch, servers: mergeServers(batch.servers, event.payload) };
    case 'tools.changed':
      return { ...batch, tools: { tools: { ...batch.tools?.tools, ...event.payload.tools } } };
    case 'server.log':
      return { ...batch, logs: appendLog(batch.logs, event.payload) };
    case 'server.health':
      return { ...batch, health: appendHealth(batch.health, event.payload) };
    case 'activity.added':
      return { ...batch, activity: appendActivity(batch.activity, event.payload) };
    case 'tester.progress':
    case 'tester.question':
    case 'tester.questionEnded':
      return { ...batch, tester: [...batch.tester.filter((earlier) => !isOutdated(earlier, event)), event] };
    default:
      return { ...batch, latest: { ...batch.latest, [event.name]: event.payload } };
  }
}

/** Returns the events in an order that never names a server before it is known. */
export function batchEvents(batch: EventBatch): readonly BatchedEvent[] {
  const latest = Object.entries(batch.latest).map(([name, payload]) => ({ name, payload }) as BatchedEvent);
  const logs = [...batch.logs].map(
    ([key, lines]): BatchedEvent => ({ name: 'server.log', payload: { key, lines } }),
  );
  const health = [...batch.health].map(
    ([key, samples]): BatchedEvent => ({ name: 'server.health', payload: { key, samples } }),
  );
  return [
    ...(batch.servers === undefined ? [] : [{ name: 'servers.changed' as const, payload: batch.servers }]),
    ...(batch.tools === undefined ? [] : [{ name: 'tools.changed' as const, payload: batch.tools }]),
    ...latest,
    ...logs,
    ...health,
    ...batch.tester,
    ...(batch.activity === undefined ? [] : [{ name: 'activity.added' as const, payload: batch.activity }]),
  ];
}

function isOutdated(earlier: TesterEvent, { name, payload }: TesterEvent): boolean {
  return name === 'tester.progress' && earlier.name === name && earlier.payload.runId === payload.runId;
}

/** Keeps the latest view of each server that still exists. */
function mergeServers(
  before: IpcEvent<'servers.changed'> | undefined,
  { servers, order }: IpcEvent<'servers.changed'>,
): IpcEvent<'servers.changed'> {
  const known = new Map([...(before?.servers ?? []), ...servers].map((server) => [server.key, server]));
  const alive = new Set(order);
  return { servers: [...known.values()].filter(({ key }) => alive.has(key)), order };
}

function appendLog(logs: EventBatch['logs'], { key, lines }: IpcEvent<'server.log'>): EventBatch['logs'] {
  return new Map(logs).set(key, [...(logs.get(key) ?? []), ...lines].slice(-maxLogLinesPerPush));
}

function appendHealth(
  health: EventBatch['health'],
  { key, samples }: IpcEvent<'server.health'>,
): EventBatch['health'] {
  return new Map(health).set(key, [...(health.get(key) ?? []), ...samples]);
}

function appendActivity(
  before: IpcEvent<'activity.added'> = { rows: [], skipped: 0 },
  added: IpcEvent<'activity.added'>,
): IpcEvent<'activity.added'> {
  const rows = [...before.rows, ...added.rows];
  const kept = rows.slice(-maxActivityRowsPerPush);
  return { rows: kept, skipped: before.skipped + added.skipped + rows.length - kept.length };
}
