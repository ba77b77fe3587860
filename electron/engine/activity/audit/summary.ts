import { sql } from 'kysely';
import type { CallStats, MetricsQuery, MetricsSummary } from '../../../../shared/model/activity/metrics.ts';
import type { StateQueries } from '../../store/db/tables.ts';

/** A row of the query: calls of one tool in one part of the time, with similar duration. */
interface Group {
  readonly server: string;
  readonly tool: string;
  readonly part: number;
  /** See {@link boundOf}; null if no server received the call, so that it took no time. */
  readonly level: number | null;
  readonly calls: number;
  readonly errors: number;
  readonly withdrawn: number;
  readonly retries: number;
  readonly total: number;
}

/** Summarizes calls by server, by tool and over time; `now` is the end unless the query has one. */
export async function summarize(db: StateQueries, query: MetricsQuery, now: number): Promise<MetricsSummary> {
  const { until = now, since = until - hourMs, points = defaultPoints } = query;
  const step = Math.max(1, (until - since) / points);
  const groups = await readGroups(db, { ...query, since, until }, step);
  const byServer = groupBy(groups, ({ server }) => server);
  return {
    since,
    until,
    total: statsOf(groups),
    servers: [...byServer].map(([serverKey, ofServer]) => ({
      serverKey,
      stats: statsOf(ofServer),
      tools: [...groupBy(ofServer, ({ tool }) => tool)].map(([tool, ofTool]) => ({
        tool,
        stats: statsOf(ofTool),
      })),
    })),
    points: pointsOf(groups, since, step, points),
  };
}

const hourMs = 60 * 60 * 1_000;
const defaultPoints = 60;
/** Levels per factor of ten: a reported median is off by a twelfth at most. */
const perDecade = 20;
const minLevelMs = 0.1;

/**
 * SQL condition: the call was refused or cancelled. A refused call either never started, and then has no duration,
 * or was refused by a person or a rule. Other calls that no server received found none that could answer.
 */
const isWithdrawn = sql`(outcome in ('denied', 'cancelled')
  or outcome = 'refused' and (latency_ms is null or coalesce(policy_decision, '') in ('ASK', 'DENY')))`;

async function readGroups(
  db: StateQueries,
  { serverKey, tool, since, until }: MetricsQuery & { readonly since: number; readonly until: number },
  step: number,
): Promise<readonly Group[]> {
  const ofServer = serverKey === undefined ? sql`` : sql`and server_id = ${serverKey}`;
  const ofTool = tool === undefined ? sql`` : sql`and tool_name = ${tool}`;
  const { rows } = await sql<Group>`
    select server_id as server, tool_name as tool, cast((invoked_at - ${since}) / ${step} as integer) as part,
      case when attempts > 0 then cast(log10(max(latency_ms, ${minLevelMs}) / ${minLevelMs}) * ${perDecade} as integer) end as level,
      count(*) as calls, sum(1 - success) - sum(${isWithdrawn}) as errors, sum(${isWithdrawn}) as withdrawn,
      sum(max(attempts, 1) - 1) as retries, sum(case when attempts > 0 then coalesce(latency_ms, 0) else 0 end) as total
    from mcp_invocations
    where invoked_at >= ${since} and invoked_at < ${until} and server_id <> '' ${ofServer} ${ofTool}
    group by 1, 2, 3, 4
    order by 1, 2`.execute(db);
  return rows;
}

function statsOf(groups: readonly Group[]): CallStats {
  const sum = (of: (group: Group) => number) => groups.reduce((all, group) => all + of(group), 0);
  const timed = groups.filter(({ level }) => level !== null);
  const levels = new Map<number, number>();
  for (const { level, calls } of timed) levels.set(level ?? 0, (levels.get(level ?? 0) ?? 0) + calls);
  const count = timed.reduce((all, { calls }) => all + calls, 0);
  return {
    calls: sum(({ calls }) => calls),
    errors: sum(({ errors }) => errors),
    withdrawn: sum(({ withdrawn }) => withdrawn),
    retries: sum(({ retries }) => retries),
    average: count === 0 ? 0 : rounded(sum(({ total }) => total) / count),
    p50: quantile(levels, count, 0.5),
    p95: quantile(levels, count, 0.95),
    p99: quantile(levels, count, 0.99),
  };
}

/** Uses the middle of the level. */
function quantile(levels: ReadonlyMap<number, number>, count: number, share: number): number {
  let left = count * share;
  for (const [level, calls] of [...levels].sort(([a], [b]) => a - b)) {
    left -= calls;
    if (left <= 0) return level === 0 ? 0 : rounded(boundOf(level + 0.5));
  }
  return 0;
}

function boundOf(level: number): number {
  return minLevelMs * 10 ** (level / perDecade);
}

function pointsOf(
  groups: readonly Group[],
  since: number,
  step: number,
  points: number,
): MetricsSummary['points'] {
  const byPart = groupBy(groups, ({ part }) => part);
  return Array.from({ length: points }, (_, part) => ({
    at: Math.round(since + part * step),
    stats: statsOf(byPart.get(part) ?? []),
  }));
}

function groupBy<K>(groups: readonly Group[], keyOf: (group: Group) => K): ReadonlyMap<K, readonly Group[]> {
  const found = new Map<K, Group[]>();
  for (const group of groups) {
    const some = found.get(keyOf(group));
    if (some === undefined) found.set(keyOf(group), [group]);
    else some.push(group);
  }
  return found;
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}
