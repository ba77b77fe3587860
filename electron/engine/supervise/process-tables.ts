import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, delay, systemClock } from '../base/clock.ts';
import { readTagged, type TaggedProcess } from './process-marks.ts';
import { type ProcessTable, readProcessTable } from './process-table.ts';

/** Process tables, read once for concurrent callers. All methods reject if reading fails. */
export interface ProcessTables {
  /** Returns a table read entirely after this call. */
  now(): Promise<ProcessTable>;
  /**
   * Like `now`, for callers that can wait: one table for many servers that start at the same time and need
   * the processor themselves.
   */
  soon(): Promise<ProcessTable>;
  /** Like `now`, with all processes that carry a tag of this program; see {@link readMarked}. */
  tagged(): Promise<TaggedTable>;
}

export interface TaggedTable {
  readonly table: ProcessTable;
  readonly tagged: readonly TaggedProcess[];
}

export interface ProcessTablesOptions {
  readonly clock?: Clock;
  readonly read?: typeof readProcessTable;
  readonly readTags?: typeof readTagged;
}

export function createProcessTables(options: ProcessTablesOptions = {}): ProcessTables {
  const { clock = systemClock, read = readProcessTable, readTags = readTagged } = options;
  return {
    now: shareReading(nextTurn, read),
    soon: shareReading(() => delay(clock, soonMs), read),
    tagged: shareReading(nextTurn, async () => {
      const table = await read();
      // Processes older than this program were not started by it.
      return { table, marked: await readTags(table, table.get(process.pid)?.startedAt) };
    }),
  };
}

/** Milliseconds. */
const soonMs = 500;

/** Shares one reading among all callers that arrive before it begins. */
function shareReading<T>(wait: () => Promise<void>, read: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined;
  return () => {
    next ??= wait().then(() => {
      next = undefined;
      return read();
    });
    return next;
  };
}
