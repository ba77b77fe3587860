import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ActivityFilter } from '../../shared/model/activity.ts';

/** What of activity outlives its view: what it was narrowed to, and how often everything in it became different. */
export type ActivityStore = StoreApi<{
  readonly filter: ActivityFilter;
  /** Grows when it was cleared or brought back. */
  readonly turn: number;
}>;

export function createActivityStore(): ActivityStore {
  return createStore(() => ({ filter: {} as ActivityFilter, turn: 0 }));
}
