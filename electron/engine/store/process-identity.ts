import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createProcReader, statSize } from './proc-file.ts';
import { listWindowsProcesses } from './windows-processes.ts';

/**
 * Returns a text that stays the same for the life of a process and differs for any later process with the
 * same pid. Undefined if no such process runs, or if the system does not say; a zombie counts as gone.
 */
export function processIdentity(pid: number): Promise<string | undefined> {
  return identify(pid).catch(() => undefined);
}

/**
 * Returns the identity of a child of this program that was started after `since`, epoch milliseconds. Starts
 * no program on Windows.
 */
export async function childIdentity(pid: number, since: number): Promise<string | undefined> {
  return process.platform === 'win32' ? identitySince(since) : processIdentity(pid);
}

/** Returns the Windows identity of a running child that was started after `since`, epoch milliseconds. */
export function identitySince(since: number): string {
  return formatStartWindow(since - clockTickMs, Date.now());
}

/** Returns true if any process has this pid, even a later one. */
export async function isRunning(pid: number): Promise<boolean> {
  return process.platform === 'win32' ? hasProcess(pid) : (await processIdentity(pid)) !== undefined;
}

/**
 * State of a process; `unknown` if its pid exists and the system does not say whether it is the same process.
 */
export type ProcessStatus = 'alive' | 'gone' | 'unknown';

interface StatusOptions {
  /** Resolves to undefined if there is no such process; rejects if the system does not say. */
  readonly identify?: (pid: number) => Promise<string | undefined>;
  readonly hasProcess?: (pid: number) => boolean;
}

/** Finds out whether the process that had this identity is still running. */
export async function processStatus(
  { pid, identity }: { readonly pid: number; readonly identity: string },
  options: StatusOptions = {},
): Promise<ProcessStatus> {
  try {
    const found = await (options.identify ?? identify)(pid);
    return found !== undefined && isSameProcess(found, identity) ? 'alive' : 'gone';
  } catch {
    return (options.hasProcess ?? hasProcess)(pid) ? 'unknown' : 'gone';
  }
}

/** Returns true if two identities found for the same pid belong to one process. */
export function isSameProcess(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [parseStartWindow(one), parseStartWindow(other)];
  if (first === undefined || second === undefined) return false;
  return first.from <= second.to && second.from <= first.to;
}

/** Returns the identity of a Windows process that was started at this time. */
export function windowsIdentity(startedAt: number): string {
  return formatStartWindow(startedAt, startedAt);
}

/** Returns true if the system has a process with this pid. */
export function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Returns undefined if no such process runs; rejects if the system does not say. */
async function identify(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return linuxIdentity(pid);
  return process.platform === 'win32' ? identifyOnWindows(pid) : posixIdentity(pid);
}

function linuxIdentity(pid: number): string | undefined {
  const stat = createProcReader(statSize)(`/proc/${pid}/stat`);
  const boot = bootId();
  if (stat === undefined || boot === undefined) return undefined;
  // Field 2, the command, is in parentheses and may contain spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : `${boot}-${fields[startTimeField]}`;
}

/**
 * Tells this boot from the previous one, whose clock ticks may be the same. Cached, as it does not change
 * while the program runs.
 */
const bootId = once(() => {
  const text = createProcReader(64)('/proc/sys/kernel/random/boot_id');
  return text?.trim().slice(0, 8);
});

function once<T>(read: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: read() };
    return known.value;
  };
}

/** Index of `starttime`, field 22 of proc(5), counted from the state, which is field 3. */
const startTimeField = 19;

async function posixIdentity(pid: number): Promise<string | undefined> {
  const text = await askPs(pid);
  return text === '' || text.startsWith('Z') ? undefined : text.replace(/^\S+\s+/, '');
}

async function askPs(pid: number): Promise<string> {
  try {
    const args = ['-o', 'stat=,lstart=', '-p', String(pid)];
    const { stdout } = await promisify(execFile)('ps', args, { timeout: 5000 });
    return stdout.trim();
  } catch (error) {
    // Exit code of `ps` if there is no such process.
    if (error instanceof Error && 'code' in error && error.code === 1) return '';
    throw error;
  }
}

/** Looks up the creation time only if some process has the pid. */
async function identifyOnWindows(pid: number): Promise<string | undefined> {
  if (pid === process.pid) return ownStartWindow();
  if (!hasProcess(pid)) return undefined;
  const found = (await listWindowsProcesses()).find((row) => row.pid === pid);
  if (found === undefined) return undefined;
  if (found.startedAt === undefined) throw new Error(`Windows does not tell when process ${pid} was started`);
  return windowsIdentity(found.startedAt);
}

/**
 * Saves a query: a process with this pid that existed while this program ran, and is not younger, is this
 * program.
 */
function ownStartWindow(): string {
  const began = Math.ceil(performance.timeOrigin);
  return formatStartWindow(began - maxStartMs, began + clockTickMs);
}

/** Longest time from the creation of a process until its program runs, in milliseconds. */
const maxStartMs = 60_000;
/** Longest step between two creation times on Windows, in milliseconds. */
const clockTickMs = 50;

function formatStartWindow(from: number, to: number): string {
  return `${from}..${to}`;
}

/** Parses a Windows identity: the time span, in milliseconds, in which the process was created. */
export function parseStartWindow(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  return from === undefined ? undefined : { from: Number(from), to: Number(to) };
}
