import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Problem } from '../../../../shared/error/problem.ts';
import type { AuditFilter, AuditRow } from '../../../../shared/model/audit.ts';
import type { HubLink } from '../../../store/model.ts';
import { type After, followChanges } from '../follow-news.ts';

/** The part of the audit log that the window has loaded, newest first. */
export interface AuditLogState {
  readonly rows: readonly AuditRow[];
  readonly phase: 'loading' | 'ready';
  readonly hasMore: boolean;
  /** While true, new rows appear immediately; otherwise only `hasNews` is set. */
  readonly following: boolean;
  readonly hasNewRows: boolean;
  readonly problem?: Problem | undefined;
}

export interface AuditLogView {
  readonly store: StoreApi<AuditLogState>;
  /**
   * Starts fetching and listening. Separate from creation, since React may render a view more than once
   * before it is shown.
   */
  start(): void;
  follow(following: boolean): void;
  /** Loads older rows. */
  loadMore(): void;
  reload(): void;
  stop(): void;
}

export interface AuditLogOptions {
  readonly link: HubLink;
  readonly filter: AuditFilter;
  readonly after: After;
}

const firstPage = 200;
const nextPage = 500;
/** Milliseconds within which the row behind an event is written. */
const settleMs = 1_000;

/** Creates a view of the audit log that follows events between `start` and `stop`. */
export function followAudit({ link, filter, after }: AuditLogOptions): AuditLogView {
  const store = createStore<AuditLogState>(() => ({
    rows: [],
    phase: 'loading',
    hasMore: false,
    following: true,
    hasNewRows: false,
  }));
  let turn = 0;
  let isFetching = false;
  let unsubscribe = () => {};

  async function load(): Promise<void> {
    turn += 1;
    const mine = turn;
    const answer = await link.call('audit.query', { ...filter, limit: firstPage });
    if (mine !== turn) return;
    if (!answer.ok) return store.setState({ phase: 'ready', problem: answer.problem });
    store.setState((state) => ({
      ...withNewest(state, answer.value.rows, answer.value.hasMore),
      hasNewRows: false,
      phase: 'ready',
      problem: undefined,
    }));
  }

  async function more(): Promise<void> {
    const { rows, hasMore } = store.getState();
    const before = rows.at(-1)?.seq;
    if (isFetching || !hasMore || before === undefined) return;
    isFetching = true;
    const mine = turn;
    const answer = await link.call('audit.query', { ...filter, before, limit: nextPage });
    isFetching = false;
    if (mine !== turn) return;
    if (!answer.ok) return store.setState({ problem: answer.problem });
    const { value } = answer;
    store.setState((state) => ({ rows: [...state.rows, ...value.rows], hasMore: value.hasMore }));
  }

  async function onChange(): Promise<void> {
    if (store.getState().following) return load();
    const mine = turn;
    const answer = await link.call('audit.query', { ...filter, limit: 1 });
    const [newest] = answer.ok ? answer.value.rows : [];
    if (mine !== turn || newest === undefined) return;
    store.setState(({ rows }) => ({ hasNewRows: newest.seq !== rows[0]?.seq }));
  }

  return {
    store,
    start() {
      unsubscribe = followChanges(link, after, settleMs, () => void onChange());
      void load();
    },
    follow(following) {
      if (following === store.getState().following) return;
      store.setState({ following });
      if (following && store.getState().hasNewRows) void load();
    },
    loadMore: () => void more(),
    reload: () => void load(),
    stop() {
      turn += 1;
      unsubscribe();
    },
  };
}

/** Keeps the loaded rows if the new page overlaps them; otherwise starts over with the page. */
function withNewest(
  { rows: before, hasMore: hadMore }: AuditLogState,
  page: readonly AuditRow[],
  hasMore: boolean,
): Pick<AuditLogState, 'rows' | 'hasMore'> {
  const newest = before[0]?.seq;
  const overlaps = newest !== undefined && page.some(({ seq }) => seq === newest);
  if (!overlaps) return { rows: page, hasMore };
  const added = page.filter(({ seq }) => seq > newest);
  return { rows: added.length === 0 ? before : [...added, ...before], hasMore: hadMore };
}
