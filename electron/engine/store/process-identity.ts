import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createProcReader, statSize } from './proc-file.ts';

/**
 * A text that stays the same for the life of a process and differs for any later process with the same pid.
 * Undefined when no such process runs; a zombie counts as gone.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return linuxIdentity(pid);
  return process.platform === 'win32' ? windowsIdentity(pid) : posixIdentity(pid);
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
  const output = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]);
  const text = output?.trim() ?? '';
  return text === '' || text.startsWith('Z') ? undefined : text.replace(/^\S+\s+/, '');
}

async function windowsIdentity(pid: number): Promise<string | undefined> {
  const command = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
  const output = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', command]);
  const text = output?.trim() ?? '';
  return text === '' ? undefined : text;
}

async function run(file: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(file, [...args], { timeout: 5000, windowsHide: true });
    return stdout;
  } catch {
    return undefined;
  }
}
