import type { Clock } from '../../base/clock.ts';
import type { Activity, ActivityBounds, ActivityEntry, ActivityQuery, KeptActivityBody } from './activity.ts';
import { findActivities, findActivityBody } from './activity-query.ts';
import { type NewActivity, toNewActivity } from './activity-row.ts';
import { createActivityWriter } from './activity-writer.ts';
import type { StateDb } from './state-db.ts';
import { createWriteBatcher } from './write-batcher.ts';

/** What went through the hub, the latest of it. Its promises reject as those of StateDb do. */
export interface ActivityStore {
  /** Takes note; it is written a moment later. */
  add(entry: ActivityEntry): void;
  /** The newest first. */
  find(query: ActivityQuery): Promise<readonly Activity[]>;
  /** What a call carried; undefined where it is no longer kept. */
  body(id: number): Promise<KeptActivityBody | undefined>;
  /** Forgets everything. */
  clear(): Promise<void>;
  /** Writes at once what was added so far; resolves to whether all of it is written. */
  flush(): Promise<boolean>;
}

export interface ActivityStoreOptions {
  readonly state: StateDb;
  readonly clock: Clock;
  readonly bounds?: ActivityBounds;
}

export function activityStore({ state, clock, bounds = usualBounds }: ActivityStoreOptions): ActivityStore {
  const writer = createActivityWriter(bounds);
  const batcher = createWriteBatcher<NewActivity>({
    clock,
    condense: (entries) => entries.slice(-mostWaiting),
    write: (entries) => state.run((db) => writer.write(db, entries)),
  });
  return {
    add: (entry) => batcher.add(toNewActivity(entry)),
    find: (query) => state.runIfThere((db) => findActivities(db, query), []),
    body: (id) => state.runIfThere((db) => findActivityBody(db, id), undefined),
    async clear() {
      await batcher.flush();
      await state.runIfThere((db) => writer.clear(db), undefined);
    },
    flush: () => batcher.flush(),
  };
}

const usualBounds: ActivityBounds = { rows: 50_000, size: 64 * 1024 * 1024 };

/** While they cannot be written. */
const mostWaiting = 1_000;
