import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Happening } from '../../shared/model/happening.ts';

/** Something that happened while this window was open. */
export interface ActivityEntry extends Happening {
  readonly id: number;
  readonly at: number;
}

export type ActivityStore = StoreApi<{
  readonly since: number;
  readonly entries: readonly ActivityEntry[];
  readonly lastId: number;
}>;

const limit = 500;

export function createActivityStore(now: number): ActivityStore {
  return createStore(() => ({ since: now, entries: [], lastId: 0 }));
}

/** Adds happenings, newest first; the oldest beyond the limit are forgotten. */
export function addHappenings(store: ActivityStore, happenings: readonly Happening[], at: number): void {
  if (happenings.length === 0) return;
  store.setState(({ entries, lastId }) => {
    const added = happenings.map((happening, index) => ({ ...happening, id: lastId + index + 1, at }));
    return {
      entries: [...added.reverse(), ...entries].slice(0, limit),
      lastId: lastId + added.length,
    };
  });
}

export function clearActivity(store: ActivityStore): void {
  store.setState({ entries: [] });
}
