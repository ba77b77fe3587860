import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, delay, systemClock } from '../base/clock.ts';
import { type MarkedProcess, readMarked } from './process-marks.ts';
import { type ProcessTable, readProcessTable } from './process-table.ts';

/** Process tables, read once for all who want one at the same time. Both reject where reading fails. */
export interface ProcessTables {
  /** A table of which no part was read before this was asked. */
  now(): Promise<ProcessTable>;
  /** The same for who is in no hurry: one for all who ask while many servers start, which need the processor themselves. */
  soon(): Promise<ProcessTable>;
  /** The same, with all that carry the mark of a run of this program; see {@link readMarked}. */
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
      // What is older than this program was not started by it.
      return { table, marked: await readMarks(table, table.get(process.pid)?.startedAt) };
    }),
  };
}

/** Milliseconds. */
const soon = 500;

/** Everyone who asks while one is being waited for gets what is read after it. */
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
