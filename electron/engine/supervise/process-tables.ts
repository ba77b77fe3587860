import { setImmediate as nextTurn } from 'node:timers/promises';
import { type MarkedProcess, readMarked } from './process-marks.ts';
import { type ProcessTable, readProcessTable } from './process-table.ts';

/** Process tables, read once for all who want one at the same time. Both reject where reading fails. */
export interface ProcessTables {
  /** A table of which no part was read before this was asked. */
  now(): Promise<ProcessTable>;
  /** The same, with all that carry the mark of a run of this program; see {@link readMarked}. */
  marked(): Promise<MarkedTable>;
}

export interface MarkedTable {
  readonly table: ProcessTable;
  readonly marked: readonly MarkedProcess[];
}

export function createProcessTables(read = readProcessTable, readMarks = readMarked): ProcessTables {
  return {
    now: shared(read),
    marked: shared(async () => {
      const table = await read();
      // What is older than this program was not started by it.
      return { table, marked: await readMarks(table, table.get(process.pid)?.startedAt) };
    }),
  };
}

/** Everyone who asks while one is being waited for gets what is read after it. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let next: Promise<T> | undefined;
  return () => {
    next ??= nextTurn().then(() => {
      next = undefined;
      return read();
    });
    return next;
  };
}
