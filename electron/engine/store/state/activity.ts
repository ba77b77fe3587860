import type { ActivityFilter, ActivityRow } from '../../../../shared/model/activity.ts';

/** What went with a row, as JSON text; secrets have been taken out by whoever tells of it, and long parts. */
export interface ActivityBody {
  readonly arguments: string | undefined;
  readonly result: string | undefined;
  readonly isCut: boolean;
}

/** A row with its own number; numbers grow with each. */
export interface ActivityEntry extends ActivityBody {
  readonly row: ActivityRow;
}

/** Which rows to list, the newest first. */
export interface ActivityQuery {
  readonly filter: ActivityFilter;
  /** Only those newer than this one. */
  readonly after: number;
  /** Only those older than this one: the last of the page before. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** How much is kept; beyond any of it, the oldest goes. */
export interface ActivityBounds {
  readonly rows: number;
  /** Characters, roughly. */
  readonly size: number;
  /** Milliseconds. */
  readonly age: number;
}
