import { familiesOf, membersOf, type ProcessTable } from '../table/process-table.ts';
import type { ProcessTables, TaggedTable } from '../table/process-tables.ts';
import type { KnownProcess, ProcessTree } from './contract.ts';
import { type EndSignal, ProcessSet, sendSignal, signalAll } from './process-set.ts';
import { createWindowsTree } from './windows-process-tree.ts';

export interface TreeOptions {
  /** Pid of the root, which leads its own process group (POSIX). */
  readonly root: number;
  readonly tables: ProcessTables;
  /** Id of the tag it was started with. */
  readonly tagId?: string | undefined;
  /** Identity from `childIdentity`. */
  readonly identity: string;
  /** Descendants that an earlier hub recorded; used on Windows only. */
  readonly family?: readonly KnownProcess[];
  /** Tells whether the root is still a running child of this program. */
  readonly isRootChild?: () => boolean;
}

export function createProcessTree(options: TreeOptions): ProcessTree {
  const { root, tables, tagId } = options;
  // Signals to group 0 or 1 would reach this program itself, or everything.
  if (!Number.isSafeInteger(root) || root <= 1) throw new RangeError(`not a child's pid: ${root}`);
  return process.platform === 'win32' ? createWindowsTree(options) : new PosixTree(root, tables, tagId);
}

/**
 * Finds the processes of a server: its group, descendants that left the group, and everything with its tag,
 * in any session and under any parent.
 */
class PosixTree implements ProcessTree {
  readonly root: number;
  readonly #tables: ProcessTables;
  readonly #tagId: string | undefined;
  /** Processes known by more than their group. */
  readonly #known = new ProcessSet();
  /** Start time of the root, once it is known. */
  #rootStartedAt: number | undefined;

  constructor(root: number, tables: ProcessTables, tagId?: string) {
    this.root = root;
    this.#tables = tables;
    this.#tagId = tagId;
  }

  async collectFamily(): Promise<void> {
    if (this.#mayHaveFamily()) await this.#addFamily(await orEmpty(this.#tables.now()));
  }

  async collectFamilySoon(): Promise<void> {
    const table = await orEmpty(this.#tables.soon());
    if (this.#mayHaveFamily()) await this.#addFamily(table);
  }

  async collect(): Promise<void> {
    if (this.#tagId === undefined) return this.collectFamily();
    const { table, tagged } = await orUntagged(this.#tables.tagged());
    await this.#addFamily(table);
    await this.#known.add(
      tagged.filter(({ tags: runs }) => runs.some(({ id }) => id === this.#tagId)).map(({ pid }) => pid),
    );
  }

  family(): readonly KnownProcess[] {
    return [];
  }

  async isRootAlive(): Promise<boolean> {
    return sendSignal(this.root, 0);
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

  /** Returns false if neither the root nor its group exists, so that no relatives can be found. */
  #mayHaveFamily(): boolean {
    return sendSignal(this.root, 0) || sendSignal(-this.root, 0);
  }

  async #members(): Promise<readonly number[]> {
    if (!sendSignal(-this.root, 0)) return [];
    const table = await orEmpty(this.#tables.now());
    return this.#belongsToRoot(table) ? membersOf(table, this.root).map((row) => row.pid) : [];
  }

  async #addFamily(table: ProcessTable): Promise<void> {
    if (this.#belongsToRoot(table)) await this.#known.add(familiesOf(table)(this.root).map(({ pid }) => pid));
  }

  /** Returns false if a later process has the root's pid, and with it the group id. */
  #belongsToRoot(table: ProcessTable): boolean {
    const startedAt = table.get(this.root)?.startedAt;
    this.#rootStartedAt ??= startedAt;
    // `ps` reports ages in whole seconds.
    return startedAt === undefined || Math.abs(startedAt - (this.#rootStartedAt ?? startedAt)) < 2000;
  }
}

/** Falls back to an empty table: a failing `ps` must not prevent ending the known processes. */
function orEmpty(table: Promise<ProcessTable>): Promise<ProcessTable> {
  return table.catch(() => new Map());
}

function orUntagged(table: Promise<TaggedTable>): Promise<TaggedTable> {
  return table.catch(() => ({ table: new Map(), tagged: [] }));
}
