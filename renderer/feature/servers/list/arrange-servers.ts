import type { ProcessUsage, ServerView } from '../../../../shared/model/server.ts';
import { matchesWords, queryWords } from '../../../lib/match-words.ts';
import { isRunning, needsAttention, serverLook, shownStatus } from '../../../lib/server-status.ts';

export const serverFilters = ['all', 'running', 'asleep', 'attention', 'off'] as const;
export type ServerFilter = (typeof serverFilters)[number];

export const sortColumns = [
  'file',
  'name',
  'status',
  'tools',
  'uptime',
  'restarts',
  'memory',
  'cpu',
] as const;
export type SortColumn = (typeof sortColumns)[number];

export interface Arrangement {
  readonly query: string;
  readonly filter: ServerFilter;
  /** `file` is the order of the config file. */
  readonly sort: SortColumn;
  readonly descending: boolean;
}

export const plainArrangement: Arrangement = { query: '', filter: 'all', sort: 'file', descending: false };

type Usage = Readonly<Record<string, ProcessUsage>>;

/** The servers to show, in order. Ties keep the order of the file. */
export function arrangeServers(
  servers: readonly ServerView[],
  { query, filter, sort, descending }: Arrangement,
  usage: Usage,
): readonly ServerView[] {
  const words = queryWords(query);
  const shown = servers.filter(
    (server) => passes(server, filter) && matchesWords(`${server.key} ${server.target}`.toLowerCase(), words),
  );
  if (sort === 'file') return shown;
  const compare = comparisons[sort];
  return [...shown].sort((left, right) => (descending ? -1 : 1) * compare(left, right, usage));
}

export function countByFilter(servers: readonly ServerView[]): Readonly<Record<ServerFilter, number>> {
  const count = (filter: ServerFilter) => servers.filter((server) => passes(server, filter)).length;
  return {
    all: servers.length,
    running: count('running'),
    asleep: count('asleep'),
    attention: count('attention'),
    off: count('off'),
  };
}

/** The arrangement after a click on a column: that column's natural direction, then the other, then file order. */
export function nextSort(current: Arrangement, column: Exclude<SortColumn, 'file'>): Arrangement {
  const natural = column !== 'name' && column !== 'status';
  if (current.sort !== column) return { ...current, sort: column, descending: natural };
  if (current.descending === natural) return { ...current, descending: !natural };
  return { ...current, sort: 'file', descending: false };
}

function passes(server: ServerView, filter: ServerFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'running':
      return isRunning(server) || server.status === 'connecting';
    case 'asleep':
      return shownStatus(server) === 'asleep';
    case 'attention':
      return needsAttention(server);
    case 'off':
      return !server.enabled;
  }
}

type Compare = (left: ServerView, right: ServerView, usage: Usage) => number;

const comparisons: Readonly<Record<Exclude<SortColumn, 'file'>, Compare>> = {
  name: (left, right) => left.key.localeCompare(right.key),
  status: (left, right) => serverLook(left).rank - serverLook(right).rank,
  tools: (left, right) => left.counts.tools - right.counts.tools,
  uptime: (left, right) => (right.connectedAt ?? Infinity) - (left.connectedAt ?? Infinity) || 0,
  restarts: (left, right) => left.restarts - right.restarts,
  memory: (left, right, usage) => (usage[left.key]?.memory ?? 0) - (usage[right.key]?.memory ?? 0),
  cpu: (left, right, usage) => (usage[left.key]?.cpu ?? 0) - (usage[right.key]?.cpu ?? 0),
};
