import { execFile, spawnSync } from 'node:child_process';
import { win32 } from 'node:path';
import { promisify } from 'node:util';

/** A running Windows process. */
export interface WindowsProcess {
  readonly pid: number;
  /** Pid of the process that started it, which may have ended; a later process may have the same pid. */
  readonly parent: number;
  /** Epoch milliseconds; absent for system processes. */
  readonly startedAt?: number;
  /** Processor time used so far, in seconds. */
  readonly cpuSeconds: number;
  /** Bytes of resident memory. */
  readonly memory: number;
  /** File name of its program. */
  readonly name: string;
  /** Full path of its program; empty if this user may not see it. */
  readonly path: string;
}

export type ProcessQuery = () => Promise<readonly WindowsProcess[]>;

/** Returns the full path of a Windows program: PATH may lead to another one, or be empty. */
export function systemProgram(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): string {
  return win32.join(env.SystemRoot ?? env.SYSTEMROOT ?? 'C:\\Windows', 'System32', name);
}

/** Ends a process and its descendants; never rejects. */
export async function killTree(pid: number): Promise<void> {
  const args = ['/PID', String(pid), '/T', '/F'];
  // Fails if the process has already ended; the caller checks.
  await promisify(execFile)(systemProgram('taskkill.exe'), args, execOptions).catch(() => undefined);
}

/** Ends processes and their descendants, and returns only then; for a program that is about to end itself. */
export function killTreesNow(pids: readonly number[]): void {
  if (pids.length === 0) return;
  const args = [...pids.flatMap((pid) => ['/PID', String(pid)]), '/T', '/F'];
  spawnSync(systemProgram('taskkill.exe'), args, { ...execOptions, stdio: 'ignore' });
}

/** Asks a program with windows to close; never rejects. */
export async function askToClose(pid: number): Promise<void> {
  const args = ['/PID', String(pid)];
  await promisify(execFile)(systemProgram('taskkill.exe'), args, execOptions).catch(() => undefined);
}

const execOptions = { timeout: 5_000, windowsHide: true };

/**
 * Creates a query that runs at most once at a time: callers that arrive during a run share the next one, so
 * that a result is never older than its request.
 */
export function createProcessQuery(run: () => Promise<string>): ProcessQuery {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<readonly WindowsProcess[]> | undefined;
  return () => {
    next ??= current.then(() => {
      next = undefined;
      const answer = run().then(parseProcesses);
      current = answer.catch(() => undefined);
      return answer;
    });
    return next;
  };
}

/** Lists all processes; rejects if PowerShell fails or takes longer than 5 s. */
export const listWindowsProcesses: ProcessQuery = createProcessQuery(askPowerShell);

/** Parses the rows of {@link script}; throws if there are none, since this program is a process itself. */
export function parseProcesses(output: string): readonly WindowsProcess[] {
  const rows = output.split(/\r?\n/).flatMap((line) => parseRow(line) ?? []);
  if (rows.length === 0) throw new Error('PowerShell listed no processes');
  return rows;
}

function parseRow(line: string): WindowsProcess | undefined {
  const [, pid, parent, created, cpu, memory, name = '', path = ''] =
    /^(\d+) (\d+) (\d+) (\d+) (\d+) ([^|]*)\|(.*)$/.exec(line) ?? [];
  if (pid === undefined) return undefined;
  return {
    pid: Number(pid),
    parent: Number(parent),
    ...(Number(created) === 0 ? {} : { startedAt: fileTimeToEpoch(Number(created)) }),
    cpuSeconds: Number(cpu) / ticksPerSecond,
    memory: Number(memory),
    name,
    path,
  };
}

/** Converts a FILETIME, tenths of microseconds since 1601, to epoch milliseconds. */
function fileTimeToEpoch(ticks: number): number {
  return Math.floor(ticks / 10_000) - 11_644_473_600_000;
}

const ticksPerSecond = 10_000_000;

async function askPowerShell(): Promise<string> {
  const file = systemProgram('WindowsPowerShell\\v1.0\\powershell.exe');
  // A different PowerShell that started this program sets this to its own modules, which this one cannot
  // load.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name.toUpperCase() !== 'PSMODULEPATH'),
  );
  const { stdout } = await promisify(execFile)(file, ['-NoProfile', '-NonInteractive', '-Command', script], {
    ...execOptions,
    env,
    maxBuffer: 16 * 1024 * 1024,
  });
  return stdout;
}

/** Contains no double quotes, which would need escaping on a command line. */
const script = [
  '[Console]::OutputEncoding = [Text.Encoding]::UTF8;',
  'Get-CimInstance Win32_Process -Property ProcessId,ParentProcessId,CreationDate,KernelModeTime,UserModeTime,WorkingSetSize,Name,ExecutablePath',
  "| ForEach-Object { '{0} {1} {2} {3} {4} {5}|{6}' -f $_.ProcessId, $_.ParentProcessId,",
  '$(if ($_.CreationDate) { $_.CreationDate.ToFileTimeUtc() } else { 0 }),',
  '($_.KernelModeTime + $_.UserModeTime), $_.WorkingSetSize, $_.Name, $_.ExecutablePath }',
].join(' ');
