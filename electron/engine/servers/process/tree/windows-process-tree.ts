import { hasProcess, parseStartWindow, windowsIdentity } from '../../../store/files/process-identity.ts';
import { killTree } from '../../../store/files/windows-processes.ts';
import type { ProcessRow } from '../table/process-row.ts';
import { ancestorsOf, type ProcessTable } from '../table/process-table.ts';
import type { ProcessTables } from '../table/process-tables.ts';
import type { KnownProcess, ProcessTree } from './contract.ts';

export interface WindowsTreeOptions {
  readonly root: number;
  /** Identity from `childIdentity`: its creation time. */
  readonly identity: string;
  readonly tables: ProcessTables;
  /** Descendants that an earlier hub recorded: those whose parents have ended are not found otherwise. */
  readonly family?: readonly KnownProcess[];
  /**
   * Tells whether the root is still a running child of this program, so that nobody else can have its pid.
   */
  readonly isRootChild?: () => boolean;
  readonly system?: WindowsSystem;
}

/** Access to the system; replaced in tests. */
export interface WindowsSystem {
  hasProcess(pid: number): boolean;
  /** Ends one process. */
  kill(pid: number): void;
  /** Ends a process and its descendants, as far as the system knows them. */
  killTree(pid: number): Promise<void>;
}

/**
 * Tracks the processes of one start on Windows, which has no process groups and hides tags. A row names its
 * parent's pid, even if the parent has ended and its pid was reused; creation times tell whose child it is.
 */
export function createWindowsTree(options: WindowsTreeOptions): ProcessTree {
  const { root, identity, tables, family = [], isRootChild = () => false, system = windowsSystem } = options;
  /**
   * All processes seen so far, with their creation times, so that their children are found after they have
   * ended.
   */
  const seen: SeenProcess[] = [{ pid: root, identity }, ...family].map(toSeen);
  /** Living processes at the last look; undefined if that could not be determined. */
  let living: readonly number[] | undefined;

  async function look(asked: Promise<ProcessTable>): Promise<void> {
    const table = await asked.catch(() => undefined);
    living = table === undefined ? undefined : findFamily(table, seen).map(({ pid }) => pid);
  }

  async function findLiving(): Promise<readonly number[]> {
    const pids = new Set([...(isRootChild() ? [root] : []), ...(living ?? [])]);
    return [...pids].filter((pid) => system.hasProcess(pid));
  }

  return {
    root,
    collectFamily: () => look(tables.now()),
    collectFamilySoon: () => look(tables.soon()),
    collect: () => look(tables.now()),
    family: () => seen.slice(1).map(({ pid, from }) => ({ pid, identity: windowsIdentity(from) })),
    isRootAlive: async () => (await findLiving()).includes(root),
    living: findLiving,
    async signal() {
      if (living !== undefined) for (const pid of living) system.kill(pid);
      else if (isRootChild()) await system.killTree(root);
    },
  };
}

/** A process that was seen, and the range of milliseconds in which it was created. */
interface SeenProcess {
  readonly pid: number;
  readonly from: number;
  readonly to: number;
}

function toSeen({ pid, identity }: KnownProcess): SeenProcess {
  return { pid, ...(parseStartWindow(identity) ?? { from: Number.POSITIVE_INFINITY, to: 0 }) };
}

/**
 * Returns the living rows of a family, parents first, and adds each to `seen`. This program and its ancestors
 * are never included.
 */
function findFamily(table: ProcessTable, seen: SeenProcess[]): readonly ProcessRow[] {
  const found: ProcessRow[] = [];
  const above = ancestorsOf(table, process.pid);
  const bootedAt = bootTime(table);
  // An array yields items that are added while it is iterated.
  for (const seenProcess of seen) {
    // Pids start over after a reboot.
    if (seenProcess.to < bootedAt) continue;
    const holder = table.get(seenProcess.pid);
    const isOwn = holder !== undefined && isWithin(holder, seenProcess);
    if (isOwn) found.push(holder);
    // A process younger than an unrelated holder of that pid is the holder's child.
    const childrenUntil = holder === undefined || isOwn ? Number.POSITIVE_INFINITY : (holder.startedAt ?? 0);
    for (const child of table.values()) {
      const { pid, parent, startedAt } = child;
      if (parent !== seenProcess.pid || startedAt === undefined || above.has(pid)) continue;
      if (startedAt < seenProcess.from || startedAt >= childrenUntil) continue;
      if (!seen.some((one) => one.pid === pid && isWithin(child, one)))
        seen.push({ pid, from: startedAt, to: startedAt });
    }
  }
  return found;
}

function bootTime(table: ProcessTable): number {
  return Math.min(...[...table.values()].map(({ startedAt = Number.POSITIVE_INFINITY }) => startedAt));
}

function isWithin({ startedAt }: ProcessRow, { from, to }: SeenProcess): boolean {
  return startedAt !== undefined && startedAt >= from && startedAt <= to;
}

const windowsSystem: WindowsSystem = {
  hasProcess,
  kill(pid) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has ended meanwhile, or cannot be ended; the next look will show it.
    }
  },
  killTree,
};
