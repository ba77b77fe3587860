import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import pidtree from 'pidtree';
import { createProcReader, type ProcReader, statSize } from '../store/proc-file.ts';

/** One process of this machine. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Its process group; unknown on Windows. */
  readonly group?: number;
  /** Dead, only its parent has not noticed yet. */
  readonly zombie: boolean;
  /** Short name of its program; empty where the system does not tell. */
  readonly command: string;
  /** Processor time used so far, in seconds; unknown on Windows. */
  readonly cpuSeconds?: number;
}

export type ProcessTable = ReadonlyMap<number, ProcessRow>;

/** All processes of this machine, read once: from /proc on Linux, by one `ps` on macOS, by pidtree on Windows. */
export async function readProcessTable(): Promise<ProcessTable> {
  const rows = await readRows();
  return new Map(rows.map((row) => [row.pid, row]));
}

/** The living descendants of a process, without itself. */
export function descendantsOf(table: ProcessTable, root: number): readonly ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of table.values()) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) children.set(row.parent, [row]);
    else siblings.push(row);
  }
  const found: ProcessRow[] = [];
  const open = [root];
  const seen = new Set(open);
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const row of children.get(pid) ?? []) {
      if (seen.has(row.pid)) continue;
      seen.add(row.pid);
      open.push(row.pid);
      if (!row.zombie) found.push(row);
    }
  }
  return found;
}

/** The living members of a process group. */
export function membersOf(table: ProcessTable, group: number): readonly ProcessRow[] {
  return [...table.values()].filter((row) => row.group === group && !row.zombie);
}

function readRows(): Promise<readonly ProcessRow[]> {
  if (process.platform === 'linux') return readLinux();
  return process.platform === 'win32' ? readWindows() : readPosix();
}

async function readLinux(): Promise<readonly ProcessRow[]> {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const read = createProcReader(statSize);
  const rows: ProcessRow[] = [];
  for (const [index, name] of names.entries()) {
    // On a machine with thousands of processes, messages must not wait for all of them.
    if (index % rowsPerTurn === rowsPerTurn - 1) await nextTurn();
    const row = readStat(name, read);
    if (row !== undefined) rows.push(row);
  }
  return rows;
}

/** About two milliseconds. */
const rowsPerTurn = 100;

/** One line of proc(5) `stat`; undefined when the process has gone meanwhile. */
function readStat(pid: string, read: ProcReader): ProcessRow | undefined {
  const text = read(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The command is in parentheses and may itself hold spaces and parentheses.
  const end = text.lastIndexOf(')');
  const [state = '', parent, group, ...rest] = text.slice(end + 2).split(' ');
  const ticks = Number(rest[8]) + Number(rest[9]);
  return {
    pid: Number(pid),
    parent: Number(parent),
    group: Number(group),
    zombie: isZombie(state),
    command: text.slice(text.indexOf('(') + 1, end),
    cpuSeconds: ticks / ticksPerSecond,
  };
}

/** USER_HZ, which Linux promises to user space on every architecture Node runs on. */
const ticksPerSecond = 100;

const isZombie = (state: string): boolean => state.startsWith('Z') || state.startsWith('X');

async function readPosix(): Promise<readonly ProcessRow[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,time=,comm=']);
  return parsePs(stdout);
}

/** The rows of `ps -A -o pid=,ppid=,pgid=,stat=,time=,comm=`. */
export function parsePs(output: string): readonly ProcessRow[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(.*)$/.exec(line);
    if (match === null) return [];
    const [, pid, parent, group, state = '', time = '', command = ''] = match;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        zombie: isZombie(state),
        command: command.slice(command.lastIndexOf('/') + 1).trim(),
        cpuSeconds: parseTime(time),
      },
    ];
  });
}

/** `12:34.56`, `1:02:03` or `2-03:04:05` in seconds. */
function parseTime(time: string): number {
  const [clock = '', days = '0'] = time.split('-').reverse();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds + Number(days) * 86_400;
}

async function readWindows(): Promise<readonly ProcessRow[]> {
  const rows = await pidtree(-1, { advanced: true });
  return rows.map(({ pid, ppid }) => ({ pid, parent: ppid, zombie: false, command: '' }));
}
