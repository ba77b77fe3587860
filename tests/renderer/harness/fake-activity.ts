import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { ActivityCounts, ActivityFilter, ActivityRow } from '../../../shared/model/activity/activity.ts';
import type { ActiveCall } from '../../../shared/model/activity/call.ts';
import { sampleActivity, sampleArguments, sampleResult } from './sample-activity.ts';

type ActivityCall = Extract<IpcCallName, `activity.${string}`>;
type ActivityHandlers = {
  [N in ActivityCall]: (input: IpcInput<N>) => IpcOutput<N> | Promise<IpcOutput<N>>;
};

/** Fakes activity in memory, newest first. */
export function fakeActivity(
  begin: () => readonly ActivityRow[],
  underway: () => readonly ActiveCall[],
): ActivityHandlers {
  const stopped = new Set<number>();
  let cleared: readonly ActivityRow[] = [];
  let made: { rows: readonly ActivityRow[] } | undefined;
  const kept = {
    get rows() {
      made ??= { rows: begin() };
      return made.rows;
    },
    set rows(rows) {
      made = { rows };
    },
  };
  return {
    'activity.query': ({ filter, before = Number.POSITIVE_INFINITY, limit }) => {
      const rows = kept.rows.filter((row) => row.id < before && isShown(row, filter));
      return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
    },
    'activity.counts': ({ filter }) => countsOf(kept.rows, filter),
    'activity.get': ({ id }) => {
      const other = { id, at: Date.now(), kind: 'call', outcome: 'ok' } as const;
      // A row invented by a test may have arrived meanwhile.
      const row = kept.rows.find((one) => one.id === id) ?? other;
      if (row.kind === 'hub' || row.kind === 'notices') return { row, isCut: false };
      return { row, arguments: sampleArguments, result: sampleResult, isCut: true };
    },
    'activity.underway': () => ({ calls: underway().filter(({ id }) => !stopped.has(id)) }),
    'activity.stop': ({ id }) => {
      stopped.add(id);
      return { stopped: true };
    },
    'activity.watch': () => undefined,
    'activity.unwatch': () => undefined,
    'activity.export': () => ({ saved: true, rows: kept.rows.length }),
    'activity.clear': () => {
      cleared = kept.rows;
      kept.rows = [];
      return { undoId: 'cleared' };
    },
    'activity.undoClear': () => {
      kept.rows = cleared;
      return { undone: true };
    },
  };
}

function isShown(row: ActivityRow, filter: ActivityFilter): boolean {
  const { kind, clientName, serverKey, name, method, outcomes, text } = filter;
  return (
    (kind === undefined || row.kind === kind) &&
    (clientName === undefined || row.clientName === clientName) &&
    (serverKey === undefined || row.serverKey === serverKey) &&
    (name === undefined || row.name === name) &&
    (method === undefined || row.method === method) &&
    (outcomes === undefined || outcomes.includes(row.outcome)) &&
    (text === undefined || JSON.stringify(row).toLowerCase().includes(text.toLowerCase()))
  );
}

function countsOf(rows: readonly ActivityRow[], filter: ActivityFilter): ActivityCounts {
  const count = (without: Partial<ActivityFilter>, value: (row: ActivityRow) => string | undefined) => {
    const counts = new Map<string, number>();
    for (const row of rows.filter((one) => isShown(one, { ...filter, ...without }))) {
      const key = value(row);
      if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return [...counts]
      .map(([key, number]) => ({ value: key, count: number }))
      .sort((a, b) => b.count - a.count);
  };
  return {
    total: rows.filter((row) => isShown(row, filter)).length,
    kept: rows.length,
    kinds: count({ kind: undefined }, (row) => row.kind),
    clients: count({ clientName: undefined }, (row) => row.clientName),
    servers: count({ serverKey: undefined }, (row) => row.serverKey),
    names: count({ name: undefined }, (row) => row.name),
    methods: count({ method: undefined }, (row) => row.method),
    outcomes: count({ outcomes: undefined }, (row) => row.outcome),
  };
}

/** Returns no rows without servers, and very many with many servers. */
export function rowsOf(servers: number): readonly ActivityRow[] {
  if (servers === 0) return [];
  return sampleActivity(servers > 40 ? 10_000 : undefined);
}
