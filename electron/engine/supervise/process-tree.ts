import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { processIdentity } from '../store/process-identity.ts';
import { descendantsOf, membersOf, type ProcessTable } from './process-table.ts';
import type { ProcessTables } from './process-tables.ts';

/**
 * The processes that belong to one child: its process group, and descendants that left the group, remembered with
 * their identity so that a reused pid is never signalled.
 */
export class ProcessTree {
  readonly root: number;
  readonly #tables: ProcessTables;
  readonly #pinned = new Map<number, string>();

  /** `root` leads its own process group (POSIX). */
  constructor(root: number, tables: ProcessTables) {
    // Signals to group 0 or 1 would reach this program itself, or everything.
    if (!Number.isSafeInteger(root) || root <= 1) throw new RangeError(`not a child's pid: ${root}`);
    this.root = root;
    this.#tables = tables;
  }

  /** Remembers who belongs to it now; to be called while the parents still live, since orphans lose their line. */
  async collect(): Promise<void> {
    await this.#pinFrom(await orEmpty(this.#tables.now()));
  }

  /** Pids that still live; zombies do not. */
  async living(): Promise<readonly number[]> {
    const members = await this.#members();
    return [...members, ...(await this.#others(members))];
  }

  /** Signals every living process; on Windows, which knows no signals, ends them. */
  async signal(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const members = await this.#members();
    const others = await this.#others(members);
    if (process.platform === 'win32') return endOnWindows(others);
    if (members.size > 0) sendSignal(-this.root, signal);
    for (const pid of others) sendSignal(pid, signal);
  }

  async #members(): Promise<ReadonlySet<number>> {
    if (!groupExists(this.root)) return new Set();
    return new Set(membersOf(await orEmpty(this.#tables.now()), this.root).map((row) => row.pid));
  }

  /** Remembered processes outside the group. */
  async #others(members: ReadonlySet<number>): Promise<readonly number[]> {
    const candidates = [...this.#pinned].filter(([pid]) => !members.has(pid) && sendSignal(pid, 0));
    const living = await Promise.all(
      candidates.map(async ([pid, identity]) => ((await processIdentity(pid)) === identity ? [pid] : [])),
    );
    return living.flat();
  }

  async #pinFrom(table: ProcessTable): Promise<void> {
    const root = table.get(this.root);
    const rows = [...descendantsOf(table, this.root), ...(root === undefined ? [] : [root])];
    await Promise.all(rows.map((row) => this.#pin(row.pid)));
  }

  async #pin(pid: number): Promise<void> {
    const identity = await processIdentity(pid);
    if (identity !== undefined && !this.#pinned.has(pid)) this.#pinned.set(pid, identity);
  }
}

/** A table that cannot be read (a `ps` that fails) must not keep the known processes from being ended. */
function orEmpty(table: Promise<ProcessTable>): Promise<ProcessTable> {
  return table.catch(() => new Map());
}

function groupExists(group: number): boolean {
  return process.platform !== 'win32' && sendSignal(-group, 0);
}

/** False when there is nobody to receive it. */
function sendSignal(target: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    // EPERM: it lives, but has changed its user; whoever calls sees that it stays.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function endOnWindows(pids: readonly number[]): Promise<void> {
  await Promise.all(
    pids.map((pid) =>
      promisify(execFile)('taskkill', ['/pid', String(pid), '/T', '/F'], { windowsHide: true }).catch(
        // Already gone; whoever calls verifies.
        () => undefined,
      ),
    ),
  );
}
