import { type EndSignal, ProcessSet, sendSignal, signalAll } from './process-set.ts';
import { familiesOf, membersOf, type ProcessTable } from './process-table.ts';
import type { MarkedTable, ProcessTables } from './process-tables.ts';
import { createWindowsTree } from './windows-process-tree.ts';

/** The processes that belong to one run of a server. */
export interface ProcessTree {
  readonly root: number;
  /** Remembers its family as it is now; to be called while the parents still live, since orphans lose their line. */
  collectFamily(): Promise<void>;
  /** Remembers the family that it will have in a moment, if it still lives then. */
  collectFamilySoon(): Promise<void>;
  /** Remembers all that can be found of it. */
  collect(): Promise<void>;
  /** Pids that still live; zombies do not. */
  living(): Promise<readonly number[]>;
  /** Signals every living process; on Windows, which knows no signals, ends those that the last look found. */
  signal(signal: EndSignal): Promise<void>;
}

export interface TreeOptions {
  /** Leads its own process group (POSIX). */
  readonly root: number;
  readonly tables: ProcessTables;
  /** Names the mark it was started with. */
  readonly runId?: string | undefined;
  /** From `childIdentity`. */
  readonly identity: string;
  /** Tells that the root is a child of this program that has not ended. */
  readonly holdsRoot?: () => boolean;
}

export function createProcessTree(options: TreeOptions): ProcessTree {
  const { root, tables, runId } = options;
  // Signals to group 0 or 1 would reach this program itself, or everything.
  if (!Number.isSafeInteger(root) || root <= 1) throw new RangeError(`not a child's pid: ${root}`);
  return process.platform === 'win32' ? createWindowsTree(options) : new PosixTree(root, tables, runId);
}

/**
 * Finds the processes of a server: its group, descendants that left the group, and all that carry the mark of the run, in any
 * session and under any parent.
 */
class PosixTree implements ProcessTree {
  readonly root: number;
  readonly #tables: ProcessTables;
  readonly #runId: string | undefined;
  /** Those known by more than their group. */
  readonly #known = new ProcessSet();
  /** When the root was started, once that has been seen. */
  #rootStartedAt: number | undefined;

  constructor(root: number, tables: ProcessTables, runId?: string) {
    this.root = root;
    this.#tables = tables;
    this.#runId = runId;
  }

  async collectFamily(): Promise<void> {
    if (this.#mayHaveFamily()) await this.#addFamily(await orEmpty(this.#tables.now()));
  }

  async collectFamilySoon(): Promise<void> {
    const table = await orEmpty(this.#tables.soon());
    if (this.#mayHaveFamily()) await this.#addFamily(table);
  }

  async collect(): Promise<void> {
    if (this.#runId === undefined) return this.collectFamily();
    const { table, marked } = await orUnmarked(this.#tables.marked());
    await this.#addFamily(table);
    await this.#known.add(
      marked.filter(({ runs }) => runs.some(({ id }) => id === this.#runId)).map(({ pid }) => pid),
    );
  }

  async living(): Promise<readonly number[]> {
    const [members, known] = await Promise.all([this.#members(), this.#known.living()]);
    return [...new Set([...members, ...known])];
  }

  async signal(signal: EndSignal): Promise<void> {
    const members = new Set(await this.#members());
    if (members.size > 0) sendSignal(-this.root, signal);
    const others = await this.#known.living();
    signalAll(
      others.filter((pid) => !members.has(pid)),
      signal,
    );
  }

  /** False once neither the root nor its group is there: nobody can be found by a parent or a group any more. */
  #mayHaveFamily(): boolean {
    return sendSignal(this.root, 0) || sendSignal(-this.root, 0);
  }

  async #members(): Promise<readonly number[]> {
    if (!sendSignal(-this.root, 0)) return [];
    const table = await orEmpty(this.#tables.now());
    return this.#isRoots(table) ? membersOf(table, this.root).map((row) => row.pid) : [];
  }

  async #addFamily(table: ProcessTable): Promise<void> {
    if (this.#isRoots(table)) await this.#known.add(familiesOf(table)(this.root).map(({ pid }) => pid));
  }

  /** False once a later process has the root's pid, and with it its group's number. */
  #isRoots(table: ProcessTable): boolean {
    const startedAt = table.get(this.root)?.startedAt;
    this.#rootStartedAt ??= startedAt;
    // `ps` tells ages in whole seconds.
    return startedAt === undefined || Math.abs(startedAt - (this.#rootStartedAt ?? startedAt)) < 2000;
  }
}

/** A table that cannot be read (a `ps` that fails) must not keep the known processes from being ended. */
function orEmpty(table: Promise<ProcessTable>): Promise<ProcessTable> {
  return table.catch(() => new Map());
}

function orUnmarked(table: Promise<MarkedTable>): Promise<MarkedTable> {
  return table.catch(() => ({ table: new Map(), marked: [] }));
}
