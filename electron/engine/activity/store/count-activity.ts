import type { ActivityCounts, ActivityFilter } from '../../../../shared/model/activity/activity.ts';

/** Number of rows with these values in common. */
export interface CountedRow {
  readonly kind: string;
  readonly client: string | null;
  readonly server: string | null;
  readonly name: string | null;
  readonly method: string | null;
  readonly outcome: string;
  readonly count: number;
}

type FilterKey = Exclude<keyof CountedRow, 'count'>;

/**
 * Returns how many rows each filter choice would leave, counting each filter as if it were not set itself.
 */
export function countRows(rows: readonly CountedRow[], filter: ActivityFilter): Omit<ActivityCounts, 'kept'> {
  const filters = filtersOf(filter);
  const count = (key: FilterKey) => {
    const others = filterKeys.filter((other) => other !== key);
    const counts = new Map<string, number>();
    for (const row of rows) {
      const value = row[key];
      if (value === null || !others.every((other) => filters[other](row[other]))) continue;
      counts.set(value, (counts.get(value) ?? 0) + row.count);
    }
    return mostFrequent(counts);
  };
  const total = rows
    .filter((row) => filterKeys.every((key) => filters[key](row[key])))
    .reduce((sum, row) => sum + row.count, 0);
  return {
    total,
    kinds: count('kind'),
    clients: count('client'),
    servers: count('server'),
    names: count('name'),
    methods: count('method'),
    outcomes: count('outcome'),
  };
}

const filterKeys = ['kind', 'client', 'server', 'name', 'method', 'outcome'] as const;

function filtersOf(filter: ActivityFilter): Readonly<Record<FilterKey, (value: string | null) => boolean>> {
  const is = (wanted: string | undefined) => (value: string | null) =>
    wanted === undefined || value === wanted;
  const { outcomes } = filter;
  return {
    kind: is(filter.kind),
    client: is(filter.clientName),
    server: is(filter.serverKey),
    name: is(filter.name),
    method: is(filter.method),
    outcome: (value) => outcomes === undefined || outcomes.some((outcome) => outcome === value),
  };
}

/** Further choices can be found by text search. */
const maxChoices = 200;

function mostFrequent(counts: ReadonlyMap<string, number>): ActivityCounts['kinds'] {
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, maxChoices);
}
