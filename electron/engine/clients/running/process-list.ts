import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { listWindowsProcesses } from '../../store/files/windows-processes.ts';

/** A process of this machine, with the program it was started from. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** The full path of its program, and the name it was started as. */
  readonly names: readonly string[];
}

/** Lists the processes that this user may see, with the paths of their programs. */
export async function listProcesses(platform: NodeJS.Platform): Promise<readonly ListedProcess[]> {
  if (platform === 'linux') return listLinux();
  return platform === 'win32' ? listWindows() : listPosix();
}

async function listLinux(): Promise<readonly ListedProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const listed = await Promise.all(pids.map(readLinux));
  return listed.flatMap((found) => found ?? []);
}

async function readLinux(pid: string): Promise<ListedProcess | undefined> {
  try {
    const [stat, words] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    // The name in parentheses may contain anything, parentheses too.
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === 'Z' || state === 'X') return undefined;
    const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
    return { pid: Number(pid), parent: Number(parent), names: [program, words.split('\0')[0] ?? ''] };
  } catch {
    // The process has exited in the meantime.
    return undefined;
  }
}

async function listPosix(): Promise<readonly ListedProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-x', '-o', 'pid=,ppid=,comm='], large);
  return stdout.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/s.exec(line);
    return match === null
      ? []
      : [{ pid: Number(match[1]), parent: Number(match[2]), names: [match[3] ?? ''] }];
  });
}

async function listWindows(): Promise<readonly ListedProcess[]> {
  const rows = await listWindowsProcesses();
  return rows.flatMap(({ pid, parent, path }) => (path === '' ? [] : [{ pid, parent, names: [path] }]));
}

const large = { maxBuffer: 16 * 1024 * 1024, timeout: 10_000 };
