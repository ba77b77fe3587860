import type { ProcessUsage, ServerView } from '../../../../shared/model/server/server.ts';
import { serverTitle } from '../../../../shared/model/server/server-title.ts';
import { serverGroup, serverLook, shownStatus } from '../../../lib/server/server-status.ts';
import { matchesWords, queryWords } from '../../../lib/text/match-words.ts';

export const serverFilters = ['all', 'running', 'asleep', 'attention', 'off'] as const;
export type ServerFilter = (typeof serverFilters)[number];

const sortColumns = [
  'failures',
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
  /** Shows only servers with this tag; all if absent. */
  readonly tag?: string;
  /**
   * `failures` puts servers that need attention first; `file` is the order of the config file. Favorites come
   * first in both.
   */
  readonly sort: SortColumn;
  readonly descending: boolean;
}

export const plainArrangement: Arrangement = {
  query: '',
  filter: 'all',
  sort: 'failures',
  descending: false,
};

type Usage = Readonly<Record<string, ProcessUsage>>;

/** Returns the servers to show, sorted. Ties keep the file order. */
export function arrangeServers(
  servers: readonly ServerView[],
  { query, filter, tag, sort, descending }: Arrangement,
  usage: Usage,
): readonly ServerView[] {
  const words = queryWords(query);
  const shown = servers.filter(
    (server) =>
      passes(server, filter) &&
      (tag === undefined || server.tags?.includes(tag) === true) &&
      matchesWords(searchText(server), words),
  );
  if (sort === 'failures' || sort === 'file') {
    const rank = (server: ServerView) => plainRank(server, sort);
    return shown.toSorted((left, right) => rank(left) - rank(right));
  }
  const compare = comparisons[sort];
  return [...shown].sort((left, right) => (descending ? -1 : 1) * compare(left, right, usage));
}

function searchText({ key, title = '', target, tags = [] }: ServerView): string {
  return `${key} ${title} ${target} ${tags.join(' ')}`.toLowerCase();
}

function plainRank(server: ServerView, sort: 'failures' | 'file'): number {
  const favorite = server.favorite === true ? 0 : 1;
  return sort === 'failures' && serverGroup(server) === 'attention' ? favorite : 2 + favorite;
}

/** Returns all tags in use, alphabetically. */
export function tagsOf(servers: readonly ServerView[]): readonly string[] {
  return [...new Set(servers.flatMap(({ tags = [] }) => tags))].toSorted((one, other) =>
    one.localeCompare(other),
  );
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

/**
 * Returns the sort order after a click on a column: its natural direction, then the reverse, then failures
 * first.
 */
export function nextSort(
  current: Arrangement,
  column: Exclude<SortColumn, 'file' | 'failures'>,
): Arrangement {
  const natural = column !== 'name' && column !== 'status';
  if (current.sort !== column) return { ...current, sort: column, descending: natural };
  if (current.descending === natural) return { ...current, descending: !natural };
  return { ...current, sort: 'failures', descending: false };
}

function passes(server: ServerView, filter: ServerFilter): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'running':
      return serverGroup(server) === 'running';
    case 'asleep':
      return shownStatus(server) === 'asleep';
    case 'attention':
      return serverGroup(server) === 'attention';
    case 'off':
      return serverGroup(server) === 'off';
  }
}

type Compare = (left: ServerView, right: ServerView, usage: Usage) => number;

const comparisons: Readonly<Record<Exclude<SortColumn, 'file' | 'failures'>, Compare>> = {
  name: (left, right) => serverTitle(left).localeCompare(serverTitle(right)),
  status: (left, right) => serverLook(left).rank - serverLook(right).rank,
  tools: (left, right) => left.counts.tools - right.counts.tools,
  uptime: (left, right) => (right.connectedAt ?? Infinity) - (left.connectedAt ?? Infinity) || 0,
  restarts: (left, right) => left.restarts - right.restarts,
  memory: (left, right, usage) => (usage[left.key]?.memory ?? 0) - (usage[right.key]?.memory ?? 0),
  cpu: (left, right, usage) => (usage[left.key]?.cpu ?? 0) - (usage[right.key]?.cpu ?? 0),
};
