import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createProcReader, statSize } from './proc-file.ts';
import { listWindowsProcesses } from './windows-processes.ts';

/**
 * A text that stays the same for the life of a process and differs for any later process with the same pid.
 * Undefined when no such process runs, or when the system does not tell; a zombie counts as gone.
 */
export function processIdentity(pid: number): Promise<string | undefined> {
  return identify(pid).catch(() => undefined);
}

/** The same for a child of this program that was started after `since`, epoch milliseconds. Asks no program on Windows. */
export async function childIdentity(pid: number, since: number): Promise<string | undefined> {
  return process.platform === 'win32' ? startedSince(since) : processIdentity(pid);
}

/** The identity on Windows of a child that was started after `since`, epoch milliseconds, and runs. */
export function startedSince(since: number): string {
  return windowText(since - clockTick, Date.now());
}

/** Whether some process has this pid, be it a later one. */
export async function isRunning(pid: number): Promise<boolean> {
  return process.platform === 'win32' ? hasProcess(pid) : (await processIdentity(pid)) !== undefined;
}

/** Whether a process still runs; `unknown` where one with its pid does and the system does not tell which. */
export type ProcessLife = 'alive' | 'gone' | 'unknown';

interface LifeOptions {
  /** Resolves to undefined where there is no such process; rejects where the system does not tell. */
  readonly identify?: (pid: number) => Promise<string | undefined>;
  readonly hasProcess?: (pid: number) => boolean;
}

/** Whether the process that had this identity still runs. */
export async function processLife(
  { pid, identity }: { readonly pid: number; readonly identity: string },
  options: LifeOptions = {},
): Promise<ProcessLife> {
  try {
    const found = await (options.identify ?? identify)(pid);
    return found !== undefined && isSameProcess(found, identity) ? 'alive' : 'gone';
  } catch {
    return (options.hasProcess ?? hasProcess)(pid) ? 'unknown' : 'gone';
  }
}

/** Whether two identities that were found for the same pid are those of one process. */
export function isSameProcess(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [startWindow(one), startWindow(other)];
  if (first === undefined || second === undefined) return false;
  return first.from <= second.to && second.from <= first.to;
}

/** The identity of a Windows process that was started at this time. */
export function windowsIdentity(startedAt: number): string {
  return windowText(startedAt, startedAt);
}

/** Whether the system has a process with this pid. */
export function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Undefined when no such process runs; rejects when the system does not tell. */
async function identify(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return linuxIdentity(pid);
  return process.platform === 'win32' ? identifyOnWindows(pid) : posixIdentity(pid);
}

function linuxIdentity(pid: number): string | undefined {
  const stat = createProcReader(statSize)(`/proc/${pid}/stat`);
  const boot = bootId();
  if (stat === undefined || boot === undefined) return undefined;
  // The command, field 2, is in parentheses and may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  return state === 'Z' || state === 'X' ? undefined : `${boot}-${fields[startTimeField]}`;
}

/** Tells this run of the machine from the one before, whose clock ticks may be the same. It outlives this program. */
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

/** `starttime` is field 22 of proc(5); fields are counted here from the state, field 3. */
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
    // The exit code of a `ps` that found nobody.
    if (error instanceof Error && 'code' in error && error.code === 1) return '';
    throw error;
  }
}

/** Asks for the time of creation only where some process has the pid. */
async function identifyOnWindows(pid: number): Promise<string | undefined> {
  if (pid === process.pid) return ownWindow();
  if (!hasProcess(pid)) return undefined;
  const found = (await listWindowsProcesses()).find((row) => row.pid === pid);
  if (found === undefined) return undefined;
  if (found.startedAt === undefined) throw new Error(`Windows does not tell when process ${pid} was started`);
  return windowsIdentity(found.startedAt);
}

/** Spares a query: a process that had this pid while this program ran, and was not younger, is this program. */
function ownWindow(): string {
  const began = Math.ceil(performance.timeOrigin);
  return windowText(began - longestStart, began + clockTick);
}

/** Milliseconds from the creation of a process until its program runs, at most. */
const longestStart = 60_000;
/** Milliseconds between two times that Windows gives to processes, at most. */
const clockTick = 50;

function windowText(from: number, to: number): string {
  return `${from}..${to}`;
}

/** Milliseconds between which a process was created, by its identity on Windows. */
export function startWindow(text: string): { readonly from: number; readonly to: number } | undefined {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(text) ?? [];
  return from === undefined ? undefined : { from: Number(from), to: Number(to) };
}
