import type { IpcCallName, IpcInput, IpcOutput } from '../../../shared/ipc/contract.ts';
import type { AuditFilter, AuditRow } from '../../../shared/model/activity/audit.ts';
import type { BreakerView } from '../../../shared/model/activity/breaker.ts';
import type { CallStats } from '../../../shared/model/activity/metrics.ts';
import { manyAudits, sampleAudit, sampleBreakers } from './sample-audit.ts';

type AuditCall = Extract<IpcCallName, `audit.${string}` | `metrics.${string}` | `breaker.${string}`>;
type AuditHandlers = { [N in AuditCall]: (input: IpcInput<N>) => IpcOutput<N> };

/** Fakes a day of audit rows, or none if nothing was done. */
export function fakeAudit(
  /** Number of servers: none means no rows, many means a lot. */
  serverCount: () => number,
  push: (breakers: readonly BreakerView[]) => void,
  isBroken: () => boolean,
): AuditHandlers {
  let many: readonly AuditRow[] | undefined;
  const rows = () => {
    if (serverCount() < 30) return serverCount() === 0 ? [] : sampleAudit;
    many ??= manyAudits(100_000);
    return many;
  };
  const forgotten = new Set<BreakerView>();
  const breakers = () => (serverCount() === 0 ? [] : sampleBreakers.filter((one) => !forgotten.has(one)));
  return {
    'audit.query': ({ limit, before, ...filter }) => {
      const found = rows().filter((row) => fits(row, filter) && (before === undefined || row.seq < before));
      return { rows: found.slice(0, limit), hasMore: found.length > limit };
    },
    'audit.verify': () => {
      if (isBroken()) return { ok: false, rows: 1_203, at: 1_204, why: 'Row 1204 is missing.' };
      const [newest, oldest] = [rows()[0], rows().at(-1)];
      const ends =
        newest === undefined || oldest === undefined ? {} : { since: oldest.at, head: newest.hash };
      return { ok: true, rows: rows().length, ...ends };
    },
    'audit.export': ({ filter }) => ({ saved: true, rows: rows().filter((row) => fits(row, filter)).length }),
    'metrics.summary': (query) => summaryOf(rows(), query),
    'breaker.list': breakers,
    'breaker.reset': ({ serverKey, tool }) => {
      for (const one of sampleBreakers)
        if (one.serverKey === serverKey && (tool === undefined || one.tool === tool)) forgotten.add(one);
      push(breakers());
      return undefined;
    },
  };
}

function fits(row: AuditRow, filter: AuditFilter): boolean {
  const { since, until, kinds, identity, serverKey, tool, outcomes, text } = filter;
  const words = [row.action, row.actor, row.serverKey, row.tool, row.text].join('\n').toLowerCase();
  return (
    (since === undefined || row.at >= since) &&
    (until === undefined || row.at <= until) &&
    (kinds === undefined || kinds.includes(row.kind)) &&
    (identity === undefined || row.actor === identity) &&
    (serverKey === undefined || row.serverKey === serverKey) &&
    (tool === undefined || row.tool === tool) &&
    (outcomes === undefined || outcomes.includes(row.outcome)) &&
    (text === undefined || words.includes(text.toLowerCase()))
  );
}

function summaryOf(
  all: readonly AuditRow[],
  query: IpcInput<'metrics.summary'>,
): IpcOutput<'metrics.summary'> {
  const { serverKey, tool, until = Date.now(), since = until - 3_600_000, points = 60 } = query;
  const rows = all.filter((row) => row.kind === 'invocation' && fits(row, { serverKey, tool, since, until }));
  const step = (until - since) / points;
  const keys = [...new Set(rows.flatMap((row) => row.serverKey ?? []))].sort();
  return {
    since,
    until,
    total: statsOf(rows),
    servers: keys.map((key) => {
      const ofServer = rows.filter((row) => row.serverKey === key);
      const tools = [...new Set(ofServer.flatMap((row) => row.tool ?? []))].sort();
      return {
        serverKey: key,
        stats: statsOf(ofServer),
        tools: tools.map((name) => ({
          tool: name,
          stats: statsOf(ofServer.filter((row) => row.tool === name)),
        })),
      };
    }),
    points: Array.from({ length: points }, (_, index) => {
      const at = since + index * step;
      return { at, stats: statsOf(rows.filter((row) => row.at >= at && row.at < at + step)) };
    }),
  };
}

const failed: ReadonlySet<string> = new Set(['error', 'timeout', 'lost']);

function statsOf(rows: readonly AuditRow[]): CallStats {
  const times = rows.map(({ milliseconds = 0 }) => milliseconds).sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return {
    calls: rows.length,
    errors: rows.filter(({ outcome }) => failed.has(outcome)).length,
    withdrawn: rows.filter(({ outcome }) => outcome !== 'ok' && !failed.has(outcome)).length,
    retries: rows.reduce((sum, { attempts = 1 }) => sum + attempts - 1, 0),
    average: rows.length === 0 ? 0 : times.reduce((sum, time) => sum + time, 0) / rows.length,
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
  };
}
