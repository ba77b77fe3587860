import type {
  ActivityCounts,
  ActivityFilter,
  ActivityPage,
  ActivityRow,
} from '../../../../shared/model/activity.ts';
import type { Clock } from '../../base/clock.ts';
import type { ActivityBody, ActivityBounds, ActivityEntry, ActivityQuery } from './activity.ts';
import {
  countActivities,
  findActivities,
  findActivity,
  findActivityBody,
  lastActivity,
  missingActivities,
} from './activity-query.ts';
import { type NewActivity, toNewActivity } from './activity-row.ts';
import { createActivityWriter } from './activity-writer.ts';
import type { StateDb } from './state-db.ts';
import { createWriteBatcher } from './write-batcher.ts';

/** What went through the hub, the latest of it. Its promises reject as those of StateDb do. */
export interface ActivityStore {
  /** Takes note; it is written a moment later, or within `milliseconds`. */
  add(entry: ActivityEntry, milliseconds?: number): void;
  /** Those newer than `after`; so are all below. */
  find(query: ActivityQuery): Promise<ActivityPage>;
  counts(filter: ActivityFilter, after: number): Promise<ActivityCounts>;
  get(id: number, after: number): Promise<(ActivityBody & { readonly row: ActivityRow }) | undefined>;
  /** The highest number that was given; 0 where there is none. */
  lastId(): Promise<number>;
  forgetOld(): Promise<void>;
  /** Forgets everything up to this one. */
  clear(upTo: number): Promise<void>;
  /** Writes at once what was added so far; resolves to whether all of it is written. */
  flush(): Promise<boolean>;
  /** Resolves when a write of what was added so far has ended, well or not. */
  settled(): Promise<void>;
  /** Finds the entries that are not kept, by comparing the members of rows without their ids. */
  missing(entries: readonly ActivityEntry[]): Promise<readonly ActivityEntry[]>;
}

export interface ActivityStoreOptions {
  readonly state: StateDb;
  readonly clock: Clock;
  readonly bounds: ActivityBounds;
}

export function activityStore({ state, clock, bounds }: ActivityStoreOptions): ActivityStore {
  const writer = createActivityWriter(bounds);
  const batcher = createWriteBatcher<NewActivity>({
    clock,
    condense: (entries) => entries.slice(-mostWaiting),
    write: (entries) => state.run((db) => writer.write(db, entries)),
  });
  return {
    add: (entry, milliseconds) => batcher.add(toNewActivity(entry), milliseconds),
    find: (query) => state.runIfThere((db) => findActivities(db, query), { rows: [], hasMore: false }),
    counts: (filter, after) => state.runIfThere((db) => countActivities(db, filter, after), nothing),
    get: (id, after) =>
      state.runIfThere(async (db) => {
        const row = await findActivity(db, id, after);
        return row && { row, ...((await findActivityBody(db, id)) ?? noBody) };
      }, undefined),
    lastId: () => state.runIfThere(lastActivity, 0),
    forgetOld: () => state.runIfThere((db) => writer.forgetOld(db, clock.now()), undefined),
    async clear(upTo) {
      await batcher.flush();
      await state.runIfThere((db) => writer.clear(db, upTo), undefined);
    },
    flush: () => batcher.flush(),
    settled: () => batcher.settled(),
    missing: (entries) => state.runIfThere((db) => missingActivities(db, entries), entries),
  };
}

const none = { kinds: [], clients: [], servers: [], names: [], methods: [], outcomes: [] };
const nothing: ActivityCounts = { total: 0, kept: 0, ...none };
const noBody: ActivityBody = { arguments: undefined, result: undefined, isCut: false };

/** While they cannot be written. */
const mostWaiting = 1_000;
