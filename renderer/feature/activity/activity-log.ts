import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../../shared/error/problem.ts';
import type { IpcEvent } from '../../../shared/ipc/contract.ts';
import type { ActivityCounts, ActivityFilter, ActivityRow } from '../../../shared/model/activity.ts';
import type { HubLink } from '../../store/model.ts';
import { isShown } from './activity-filter.ts';
import type { After } from './follow-news.ts';

/** The part of the activity that the window has loaded, newest first. */
export interface ActivityLogState {
  readonly rows: readonly ActivityRow[];
  readonly phase: 'loading' | 'ready';
  readonly hasMore: boolean;
  /** Rows that arrived while following is paused, newest first. */
  readonly newRows: readonly ActivityRow[];
  readonly following: boolean;
  readonly counts?: ActivityCounts;
  readonly problem?: Problem | undefined;
}

export interface ActivityLog {
  readonly store: StoreApi<ActivityLogState>;
  /**
   * Starts fetching and listening. Separate from creation, since React may render a view more than once
   * before it is shown.
   */
  start(): void;
  /** Turns following on or off. While it is on, new rows appear immediately. */
  follow(following: boolean): void;
  /** Loads older rows. */
  loadMore(): void;
  reload(): void;
  stop(): void;
}

export interface ActivityLogOptions {
  readonly link: HubLink;
  readonly filter: ActivityFilter;
  readonly after: After;
}

/** Max rows kept in memory; older ones are fetched again. */
const maxRows = 20_000;
const pageSize = 200;

/** Creates an activity log that follows events between `start` and `stop`. */
export function followActivity({ link, filter, after }: ActivityLogOptions): ActivityLog {
  const store = createStore<ActivityLogState>(() => ({
    rows: [],
    phase: 'loading',
    hasMore: false,
    newRows: [],
    following: true,
  }));
  let turn = 0;
  let isFetching = false;
  let stopCounting: (() => void) | undefined;

  async function load(): Promise<void> {
    turn += 1;
    const mine = turn;
    const answer = await link.call('activity.query', { filter, limit: pageSize });
    if (mine !== turn) return;
    if (!answer.ok) return store.setState({ phase: 'ready', problem: answer.problem });
    const { rows, hasMore } = answer.value;
    store.setState({ rows, hasMore, newRows: [], phase: 'ready', problem: undefined });
    void count();
  }

  async function more(): Promise<void> {
    const { rows, hasMore } = store.getState();
    const before = rows.at(-1)?.id;
    if (isFetching || !hasMore || before === undefined) return;
    isFetching = true;
    const mine = turn;
    const answer = await link.call('activity.query', { filter, before, limit: pageSize });
    isFetching = false;
    if (mine !== turn) return;
    if (!answer.ok) return store.setState({ problem: answer.problem });
    const { value } = answer;
    store.setState((state) => ({ rows: [...state.rows, ...value.rows], hasMore: value.hasMore }));
  }

  async function count(): Promise<void> {
    stopCounting = undefined;
    const mine = turn;
    const answer = await link.call('activity.counts', { filter });
    if (mine === turn && answer.ok) store.setState({ counts: answer.value });
  }

  function follow(following: boolean): void {
    if (following === store.getState().following) return;
    store.setState((state) =>
      following ? { ...withRows(state, state.newRows), newRows: [], following } : { following },
    );
  }

  let unsubscribe = () => {};

  function onAdded({ rows, skipped }: IpcEvent<'activity.added'>): void {
    if (skipped > 0 && store.getState().following) return void load();
    const shown = rows.filter((row) => isShown(row, filter)).reverse();
    if (shown.length > 0)
      store.setState((state) =>
        state.following
          ? withRows(state, shown)
          : { newRows: prepend(shown, state.newRows).slice(0, maxRows) },
      );
    stopCounting ??= after(countMs, () => void count());
  }

  return {
    store,
    start() {
      unsubscribe = link.on('activity.added', onAdded);
      void link.call('activity.watch', undefined);
      void load();
    },
    follow,
    loadMore: () => void more(),
    reload: () => void load(),
    stop() {
      turn += 1;
      unsubscribe();
      stopCounting?.();
      void link.call('activity.unwatch', undefined);
    },
  };
}

const countMs = 1_000;

function withRows(state: ActivityLogState, added: readonly ActivityRow[]): Partial<ActivityLogState> {
  const rows = prepend(added, state.rows);
  return rows.length <= maxRows ? { rows } : { rows: rows.slice(0, maxRows), hasMore: true };
}

/** Prepends new rows and skips those that a query has already returned. */
function prepend(added: readonly ActivityRow[], before: readonly ActivityRow[]): readonly ActivityRow[] {
  const last = before[0]?.id ?? 0;
  const fresh = added.filter(({ id }) => id > last);
  return fresh.length === 0 ? before : [...fresh, ...before];
}
