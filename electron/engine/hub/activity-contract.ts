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

/** What went through the hub: recorded, kept within bounds, with secrets taken out before anything is kept. */
export interface ActivityLog {
  query(query: IpcInput<'activity.query'>): Promise<ActivityPage>;
  counts(filter: ActivityFilter): Promise<ActivityCounts>;
  /** Rejects with `activity.gone`. */
  get(id: number): Promise<ActivityDetail>;
  /** Requests that servers are at work on. */
  underway(): readonly ActiveCall[];
  /** Ends one of them by hand; false where it has ended already, or is the tester's own. */
  stop(id: number): boolean;
  /** What comes; told while somebody listens. */
  readonly onAdded: Event<ActivityAdded>;
  /** Writes to a file, oldest first; resolves to the number of rows. Rejects with `activity.export_failed`. */
  export(wish: ActivityExport): Promise<number>;
  /** Forgets everything; the id takes it back for a while. */
  clear(): Promise<string>;
  undoClear(undoId: string): Promise<boolean>;
  /** Whether anything is recorded from now on. */
  record(on: boolean): void;
}

export interface ActivityExport {
  readonly filter: ActivityFilter;
  readonly format: ActivityFormat;
  readonly file: string;
}

/** The part of the engine that tells what went through it. */
export interface ActivityEngine {
  readonly activity: ActivityLog;
}
