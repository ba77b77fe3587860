import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, delay, systemClock } from '../base/clock.ts';
import { type MarkedProcess, readMarked } from './process-marks.ts';
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
  marked(): Promise<MarkedTable>;
}

export interface MarkedTable {
  readonly table: ProcessTable;
  readonly marked: readonly MarkedProcess[];
}

export interface ProcessTablesOptions {
  readonly clock?: Clock;
  readonly read?: typeof readProcessTable;
  readonly readMarks?: typeof readMarked;
}

export function createProcessTables(options: ProcessTablesOptions = {}): ProcessTables {
  const { clock = systemClock, read = readProcessTable, readMarks = readMarked } = options;
  return {
    now: shared(nextTurn, read),
    soon: shared(() => delay(clock, soon), read),
    marked: shared(nextTurn, async () => {
      const table = await read();
      // Processes older than this program were not started by it.
      return { table, marked: await readMarks(table, table.get(process.pid)?.startedAt) };
    }),
  };
}

/** Milliseconds. */
const soon = 500;

/** Shares one reading among all callers that arrive before it begins. */
function shared<T>(wait: () => Promise<void>, read: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined;
  return () => {
    next ??= wait().then(() => {
      next = undefined;
      return read();
    });
    return next;
  };
}
