import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * A text that stays the same for the life of a process and differs for any later process with the same pid.
 * Undefined when no such process runs; a zombie counts as gone.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') return linuxIdentity(pid);
  return process.platform === 'win32' ? windowsIdentity(pid) : posixIdentity(pid);
}

async function linuxIdentity(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command, field 2, is in parentheses and may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    if (state === 'Z' || state === 'X') return undefined;
    const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${bootId.trim().slice(0, 8)}-${fields[startTimeField]}`;
  } catch {
    return undefined;
  }
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
