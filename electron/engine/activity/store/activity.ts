import type { ActivityFilter, ActivityRow } from '../../../../shared/model/activity/activity.ts';

/** Bodies of a row as JSON text, masked and truncated by the caller. */
export interface ActivityBody {
  readonly arguments: string | undefined;
  readonly result: string | undefined;
  readonly isCut: boolean;
}

/** A row with its number; numbers increase. */
export interface ActivityEntry extends ActivityBody {
  readonly row: ActivityRow;
}

/** Selects rows to list, newest first. */
export interface ActivityQuery {
  readonly filter: ActivityFilter;
  /** Only rows newer than this one. */
  readonly after: number;
  /** Only rows older than this one: the last row of the previous page. */
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Limits; beyond any of them the oldest rows are deleted. */
export interface ActivityBounds {
  readonly rows: number;
  /** Approximate characters. */
  readonly size: number;
  /** Milliseconds. */
  readonly age: number;
}
