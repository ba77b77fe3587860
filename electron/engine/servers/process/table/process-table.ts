import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createProcReader, statSize } from '../../../store/files/proc-file.ts';
import { listWindowsProcesses } from '../../../store/files/windows-processes.ts';
import { bootTime, type ProcessRow, pageSize, parsePs, parseStat, psColumns } from './process-row.ts';

export type ProcessTable = ReadonlyMap<number, ProcessRow>;

/**
 * Reads all processes of this machine: from /proc on Linux, with one `ps` on macOS, with one query on
 * Windows.
 */
export async function readProcessTable(): Promise<ProcessTable> {
  const rows = await readRows();
  return new Map(rows.map((row) => [row.pid, row]));
}

/**
 * Returns a function that finds the family of a process: itself, its descendants, and its process group with
 * theirs. Zombies are left out.
 */
export function familiesOf(table: ProcessTable): (root: number) => readonly ProcessRow[] {
  const children = groupBy(table, (row) => row.parent);
  const groups = groupBy(table, (row) => row.group);
  return (root) => {
    const own = table.get(root);
    const seen = new Set([...(own === undefined ? [] : [own]), ...(groups.get(root) ?? [])]);
    // A set yields items that are added while it is iterated.
    for (const { pid } of seen) {
      for (const child of children.get(pid) ?? []) seen.add(child);
    }
    return [...seen].filter((row) => !row.zombie);
  };
}

function groupBy(
  table: ProcessTable,
  keyOf: (row: ProcessRow) => number | undefined,
): ReadonlyMap<number, readonly ProcessRow[]> {
  const found = new Map<number, ProcessRow[]>();
  for (const row of table.values()) {
    const key = keyOf(row);
    if (key === undefined) continue;
    const others = found.get(key);
    if (others === undefined) found.set(key, [row]);
    else others.push(row);
  }
  return found;
}

/** Returns the living members of a process group. */
export function membersOf(table: ProcessTable, group: number): readonly ProcessRow[] {
  return [...table.values()].filter((row) => row.group === group && !row.zombie);
}

/** Returns a process and all its ancestors. */
export function ancestorsOf(table: ProcessTable, pid: number): ReadonlySet<number> {
  const seen = new Set<number>();
  for (let at = pid; at > 0 && !seen.has(at); at = table.get(at)?.parent ?? 0) seen.add(at);
  return seen;
}

function readRows(): Promise<readonly ProcessRow[]> {
  if (process.platform === 'linux') return readLinux();
  return process.platform === 'win32' ? readWindows() : readPosix();
}

async function readLinux(): Promise<readonly ProcessRow[]> {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const read = createProcReader(statSize);
  const scale = { bootTime: bootTime(read('/proc/self/stat')), pageSize: pageSize() };
  const rows: ProcessRow[] = [];
  for (const [index, name] of names.entries()) {
    // Yields in between: with thousands of processes, messages would have to wait too long.
    if (index % filesPerTurn === filesPerTurn - 1) await nextTurn();
    const text = read(`/proc/${name}/stat`);
    // Undefined if it has ended meanwhile.
    if (text !== undefined) rows.push(parseStat(text, scale));
  }
  return rows;
}

/** About half a millisecond: a call waits no longer than that. */
export const filesPerTurn = 50;

async function readPosix(): Promise<readonly ProcessRow[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', psColumns], { timeout: 10_000 });
  return parsePs(stdout, Date.now());
}

async function readWindows(): Promise<readonly ProcessRow[]> {
  const rows = await listWindowsProcesses();
  return rows.map(({ name, path: _, ...row }) => ({ ...row, command: name, zombie: false }));
}
