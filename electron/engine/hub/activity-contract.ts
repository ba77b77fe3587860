import type { IpcInput } from '../../../shared/ipc/contract.ts';
import type {
  ActivityAdded,
  ActivityCounts,
  ActivityDetail,
  ActivityFilter,
  ActivityFormat,
  ActivityPage,
} from '../../../shared/model/activity.ts';
import type { ActiveCall } from '../../../shared/model/call.ts';
import type { Event } from '../base/emitter.ts';

/**
 * The activity that went through the hub: recorded within limits, with secrets masked before anything is
 * stored.
 */
export interface ActivityLog {
  query(query: IpcInput<'activity.query'>): Promise<ActivityPage>;
  counts(filter: ActivityFilter): Promise<ActivityCounts>;
  /** Rejects with `activity.gone`. */
  get(id: number): Promise<ActivityDetail>;
  /** Requests that servers are working on. */
  underway(): readonly ActiveCall[];
  /** Cancels one of them by hand; returns false if it has ended already or belongs to the tester. */
  stop(id: number): boolean;
  /** Fires for new entries, but only while somebody listens. */
  readonly onAdded: Event<ActivityAdded>;
  /**
   * Writes the rows to a file, oldest first; resolves to their number. Rejects with `activity.export_failed`.
   */
  export(wish: ActivityExport): Promise<number>;
  /** Clears everything; the returned id can undo this for a while. */
  clear(): Promise<string>;
  undoClear(undoId: string): Promise<boolean>;
  /** Turns recording on or off. */
  record(on: boolean): void;
}

export interface ActivityExport {
  readonly filter: ActivityFilter;
  readonly format: ActivityFormat;
  readonly file: string;
}

/** The activity part of the engine. */
export interface ActivityEngine {
  readonly activity: ActivityLog;
}
