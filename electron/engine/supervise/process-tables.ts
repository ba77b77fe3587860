import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, delay } from '../base/clock.ts';
import { type ProcessTable, readProcessTable } from './process-table.ts';

/** Process tables, read once for all who want one at the same time. Both reject where reading fails. */
export interface ProcessTables {
  /** A table of which no part was read before this was asked. */
  now(): Promise<ProcessTable>;
  /** The same at once or within a moment: servers that start together take few tables together. */
  soon(): Promise<ProcessTable>;
}

export function createProcessTables(clock: Clock, read = readProcessTable): ProcessTables {
  const now = shared(() => nextTurn(), read);
  let restsUntil = 0;
  const rest = async () => {
    const milliseconds = restsUntil - clock.now();
    if (milliseconds > 0) await delay(clock, milliseconds);
  };
  const soon = shared(rest, () => {
    restsUntil = clock.now() + restFor;
    return now();
  });
  return { now, soon };
}

/** Milliseconds from one table that could have waited to the next. */
const restFor = 200;

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
