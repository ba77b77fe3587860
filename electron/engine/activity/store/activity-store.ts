import type {
  ActivityCounts,
  ActivityFilter,
  ActivityPage,
  ActivityRow,
} from '../../../../shared/model/activity/activity.ts';
import type { Clock } from '../../base/clock.ts';
import type { StateDb } from '../../store/db/state-db.ts';
import { createWriteBatcher } from '../../store/db/write-batcher.ts';
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
import { createBoundedWriter } from './bounded-writer.ts';

/** The most recent activity of the hub. Its promises reject like those of StateDb. */
export interface ActivityStore {
  /** Queues an entry; it is written shortly after, or within `milliseconds`. */
  add(entry: ActivityEntry, milliseconds?: number): void;
  /** Finds rows newer than `after`, like all methods below. */
  find(query: ActivityQuery): Promise<ActivityPage>;
  counts(filter: ActivityFilter, after: number): Promise<ActivityCounts>;
  get(id: number, after: number): Promise<(ActivityBody & { readonly row: ActivityRow }) | undefined>;
  /** Returns the highest number in use; 0 if there is none. */
  lastId(): Promise<number>;
  forgetOld(): Promise<void>;
  /** Deletes everything up to this row. */
  clear(upTo: number): Promise<void>;
  /** Writes everything queued now; resolves to whether all of it is written. */
  flush(): Promise<boolean>;
  /** Resolves when everything queued so far has been written, or writing it has failed. */
  settled(): Promise<void>;
  /** Finds the entries that are not stored, by comparing rows without their ids. */
  missing(entries: readonly ActivityEntry[]): Promise<readonly ActivityEntry[]>;
}

export interface ActivityStoreOptions {
  readonly state: StateDb;
  readonly clock: Clock;
  readonly bounds: ActivityBounds;
}

export function activityStore({ state, clock, bounds }: ActivityStoreOptions): ActivityStore {
  const writer = createBoundedWriter(bounds);
  const batcher = createWriteBatcher<NewActivity>({
    clock,
    condense: (entries) => entries.slice(-maxPending),
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

/** Limit while entries cannot be written. */
const maxPending = 1_000;
