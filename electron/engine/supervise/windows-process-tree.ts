import { hasProcess, startWindow } from '../store/process-identity.ts';
import { killTree } from '../store/windows-processes.ts';
import { lineage, type ProcessRow, type ProcessTable } from './process-table.ts';
import type { ProcessTables } from './process-tables.ts';
import type { ProcessTree } from './process-tree.ts';

export interface WindowsTreeOptions {
  readonly root: number;
  /** From `childIdentity`: its time of creation. */
  readonly identity: string;
  readonly tables: ProcessTables;
  /** Tells that the root is this program's child and has not ended, so that nobody else can have its pid. */
  readonly holdsRoot?: () => boolean;
  readonly system?: WindowsSystem;
}

/** Questions and orders to the system; tests give their own. */
export interface WindowsSystem {
  hasProcess(pid: number): boolean;
  /** Ends one process. */
  kill(pid: number): void;
  /** Ends a process and what it started, as the system knows it. */
  killTree(pid: number): Promise<void>;
}

/**
 * The processes of one run on Windows, which has no process groups and shows no marks. A row keeps the pid of the process that
 * started it, also when that has ended and its pid was used again; the times of creation tell whose child it is.
 */
export function createWindowsTree(options: WindowsTreeOptions): ProcessTree {
  const { root, identity, tables, holdsRoot = () => false, system = windowsSystem } = options;
  const { from, to } = startWindow(identity) ?? { from: Number.POSITIVE_INFINITY, to: 0 };
  /** All that were seen, with their time of creation: their children are found by it when they have ended. */
  const seen: Seen[] = [{ pid: root, from, to }];
  /** Processes that lived at the last look; undefined where that could not be told. */
  let living: readonly number[] | undefined;

  async function look(asked: Promise<ProcessTable>): Promise<void> {
    const table = await asked.catch(() => undefined);
    living = table === undefined ? undefined : findFamily(table, seen).map(({ pid }) => pid);
  }

  return {
    root,
    collectFamily: () => look(tables.now()),
    collectFamilySoon: () => look(tables.soon()),
    collect: () => look(tables.now()),
    async living() {
      const pids = new Set([...(holdsRoot() ? [root] : []), ...(living ?? [])]);
      return [...pids].filter((pid) => system.hasProcess(pid));
    },
    async signal() {
      if (living !== undefined) for (const pid of living) system.kill(pid);
      else if (holdsRoot()) await system.killTree(root);
    },
  };
}

/** A process that was seen, and the milliseconds between which it was created. */
interface Seen {
  readonly pid: number;
  readonly from: number;
  readonly to: number;
}

/** The living rows of a family, parents first; notes each as seen. This program and all above it are nobody's leftovers. */
function findFamily(table: ProcessTable, seen: Seen[]): readonly ProcessRow[] {
  const found: ProcessRow[] = [];
  const above = lineage(table, process.pid);
  const booted = bootTime(table);
  // An array hands out what is added to it while it is walked.
  for (const own of seen) {
    // The numbers of processes begin anew with the machine.
    if (own.to < booted) continue;
    const holder = table.get(own.pid);
    const isOwn = holder !== undefined && isWithin(holder, own);
    if (isOwn) found.push(holder);
    // A process younger than a stranger with that pid is the stranger's child.
    const until = holder === undefined || isOwn ? Number.POSITIVE_INFINITY : (holder.startedAt ?? 0);
    for (const child of table.values()) {
      const { pid, parent, startedAt } = child;
      if (parent !== own.pid || startedAt === undefined || above.has(pid)) continue;
      if (startedAt < own.from || startedAt >= until) continue;
      if (!seen.some((one) => one.pid === pid && isWithin(child, one)))
        seen.push({ pid, from: startedAt, to: startedAt });
    }
  }
  return found;
}

function bootTime(table: ProcessTable): number {
  return Math.min(...[...table.values()].map(({ startedAt = Number.POSITIVE_INFINITY }) => startedAt));
}

function isWithin({ startedAt }: ProcessRow, { from, to }: Seen): boolean {
  return startedAt !== undefined && startedAt >= from && startedAt <= to;
}

const windowsSystem: WindowsSystem = {
  hasProcess,
  kill(pid) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended meanwhile, or may not be ended; the next look tells.
    }
  },
  killTree,
};
