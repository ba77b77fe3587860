import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import { performance } from 'node:perf_hooks';

/** A process of this machine. */
export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  /** Process group; unknown on Windows. */
  readonly group?: number;
  /** Dead, but not yet reaped by its parent. */
  readonly zombie: boolean;
  /** Short name of its program; empty if the system does not tell. */
  readonly command: string;
  /** Processor time used so far, in seconds. */
  readonly cpuSeconds?: number;
  /** Bytes of resident memory. */
  readonly memory?: number;
  /** Epoch milliseconds; unknown for Windows system processes. */
  readonly startedAt?: number;
}

/** Units of proc(5) `stat`. */
export interface StatScale {
  /** Epoch milliseconds from which the kernel counts start times; see {@link bootTime}. */
  readonly bootTime: number | undefined;
  readonly pageSize: number;
}

/** Parses the line of proc(5) `stat`. */
export function parseStat(text: string, { bootTime: boot, pageSize: page }: StatScale): ProcessRow {
  // The command is in parentheses and may contain spaces and parentheses.
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const number = (index: number) => Number(fields[index]);
  return {
    pid: Number.parseInt(text, 10),
    parent: number(1),
    group: number(2),
    zombie: isZombie(fields[0] ?? ''),
    command: text.slice(text.indexOf('(') + 1, end),
    cpuSeconds: (number(11) + number(12)) / ticksPerSecond,
    memory: number(21) * page,
    ...(boot === undefined ? {} : { startedAt: Math.round(boot + number(startTime) * millisecondsPerTick) }),
  };
}

/**
 * Calculates the zero point of the kernel's start times from this process: in a container it may differ from
 * the boot time.
 */
export function bootTime(ownStat: string | undefined): number | undefined {
  const ticks = Number(ownStat?.slice(ownStat.lastIndexOf(')') + 2).split(' ')[startTime]);
  return Number.isNaN(ticks) ? undefined : performance.timeOrigin - ticks * millisecondsPerTick;
}

/** Index, counted from the state, which is the third field in proc(5). */
const startTime = 19;

/** USER_HZ, which Linux guarantees to user space on every architecture Node supports. */
const ticksPerSecond = 100;
const millisecondsPerTick = 1000 / ticksPerSecond;

/** Tells whether a process is dead or about to be. */
export const isZombie = (state: string): boolean => state.startsWith('Z') || state.startsWith('X');

/** Returns the memory page size in bytes, as the kernel reported it to this process. */
export function pageSize(): number {
  // 32-bit systems have 4 KiB pages and another format of this file.
  if (process.arch === 'arm' || process.arch === 'ia32') return defaultPageSize;
  const entries = readAuxiliary();
  const read = (offset: number) =>
    Number(endianness() === 'LE' ? entries.readBigUInt64LE(offset) : entries.readBigUInt64BE(offset));
  for (let offset = 0; offset + 16 <= entries.length; offset += 16) {
    if (read(offset) === pageSizeKey) return read(offset + 8);
  }
  return defaultPageSize;
}

const defaultPageSize = 4096;

/** AT_PAGESZ of getauxval(3). */
const pageSizeKey = 6;

function readAuxiliary(): Buffer {
  try {
    return readFileSync('/proc/self/auxv');
  } catch {
    return Buffer.alloc(0);
  }
}

/** Columns of `ps -A -o`, in the order {@link parsePs} reads them. */
export const psColumns = 'pid=,ppid=,pgid=,stat=,time=,etime=,rss=,comm=';

/** Parses the output of `ps`, taken at `now`. */
export function parsePs(output: string, now: number): readonly ProcessRow[] {
  return output.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(\d+)\s+(.*)$/s.exec(line);
    if (match === null) return [];
    const [, pid, parent, group, state = '', time = '', age = '', kilobytes, command = ''] = match;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        zombie: isZombie(state),
        command: command.slice(command.lastIndexOf('/') + 1).trim(),
        cpuSeconds: parseTime(time),
        memory: Number(kilobytes) * 1024,
        // Rounded to seconds, so that it does not flicker between readings.
        startedAt: (Math.round(now / 1000) - parseTime(age)) * 1000,
      },
    ];
  });
}

/** Converts `12:34.56`, `1:02:03` or `2-03:04:05` to seconds. */
function parseTime(time: string): number {
  const [clock = '', days = '0'] = time.split('-').reverse();
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return seconds + Number(days) * 86_400;
}
