import type { Logger } from '../base/logger.ts';
import { readTextIfExists, writePrivateFile } from '../store/atomic-file.ts';

/** A running child, as noted on disk. */
export interface ChildRecord {
  readonly key: string;
  readonly pid: number;
  /** See `processIdentity`: tells this process from a later one with the same pid. */
  readonly identity: string;
}

/** Notes which children run, so that the next start can reap what a killed hub left behind. */
export interface Ledger {
  /** Resolves when it is on disk. */
  add(record: ChildRecord): Promise<void>;
  remove(pid: number): Promise<void>;
}

/** A ledger that starts with `records`; a file that cannot be written is reported and hurts no server. */
export function createLedger(file: string, logger: Logger, records: readonly ChildRecord[]): Ledger {
  const children = new Map(records.map((record) => [record.pid, record]));
  const save = coalesced(async () => {
    try {
      await writePrivateFile(file, format([...children.values()]));
    } catch (error) {
      logger.log('warn', 'The list of running servers could not be written', { file, error: String(error) });
    }
  });
  return {
    add(record) {
      children.set(record.pid, record);
      return save();
    },
    remove(pid) {
      return children.delete(pid) ? save() : Promise.resolve();
    },
  };
}

/** A ledger for a program without a data folder: its children end with their stdin. */
export const noLedger: Ledger = { add: () => Promise.resolve(), remove: () => Promise.resolve() };

/** The records in a ledger file; a missing or damaged one has none. */
export async function readLedger(file: string): Promise<readonly ChildRecord[]> {
  const text = await readTextIfExists(file);
  if (text === undefined) return [];
  try {
    const { children } = JSON.parse(text);
    return Array.isArray(children) ? children.filter(isRecord) : [];
  } catch {
    return [];
  }
}

function format(children: readonly ChildRecord[]): string {
  return `${JSON.stringify({ version: 1, children }, undefined, 2)}\n`;
}

function isRecord(value: unknown): value is ChildRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { key, pid, identity } = value as Partial<Record<keyof ChildRecord, unknown>>;
  return (
    typeof key === 'string' && typeof identity === 'string' && Number.isSafeInteger(pid) && Number(pid) > 1
  );
}

/** At most one run at a time and one to follow; each call resolves after a run that began after it. */
function coalesced(run: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  return () => {
    next ??= current.then(() => {
      next = undefined;
      current = run();
      return current;
    });
    return next;
  };
}
