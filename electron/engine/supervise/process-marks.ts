import { execFile } from 'node:child_process';
import { readlinkSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { processTagVariable } from '../../../shared/model/loop.ts';
import { digestOfText } from '../base/digest.ts';
import { createProcReader } from '../store/proc-file.ts';
import { filesPerTurn, type ProcessTable } from './process-table.ts';
import { type ProcessTag, readTags } from './run-mark.ts';

/** A living process of this user that a server started, directly or not. */
export interface TaggedProcess {
  readonly pid: number;
  /** Tags of the processes it descends from, outermost first; at least one. */
  readonly tags: readonly ProcessTag[];
}

/**
 * Finds tagged processes by their environment. Processes that were handed over are left out: a browser that
 * the desktop opened for a server no longer belongs to it, nor does a container's process. Empty on Windows,
 * which hides environments.
 */
export async function readTagged(
  table: ProcessTable,
  startedSince = Number.NEGATIVE_INFINITY,
): Promise<readonly TaggedProcess[]> {
  if (process.platform === 'linux') return readLinux(table, startedSince);
  return process.platform === 'win32' ? [] : readPosix();
}

async function readLinux(table: ProcessTable, startedSince: number): Promise<readonly TaggedProcess[]> {
  const read = createProcReader(maxEnvironSize);
  const found: TaggedProcess[] = [];
  let count = 0;
  for (const { pid, zombie, startedAt = Number.POSITIVE_INFINITY } of table.values()) {
    if (zombie || startedAt < startedSince) continue;
    count += 1;
    if (count % filesPerTurn === 0) await nextTurn();
    const environ = read(`/proc/${pid}/environ`);
    const tags = readTags(variableOf(environ, processTagVariable));
    const inner = tags.at(-1);
    if (inner === undefined || !isOfThisUser(pid)) continue;
    if (variableOf(environ, desktopVariable) === undefined && readCgroup(pid) === inner.cgroup)
      found.push({ pid, tags });
  }
  return found;
}

/** Max bytes read of an environment; hardly any is that long. */
const maxEnvironSize = 256 * 1024;

/** Set by GLib for programs it starts on the desktop; never set for servers. */
const desktopVariable = 'GIO_LAUNCHED_DESKTOP_FILE';

/** Reads a variable of a proc(5) `environ`. */
function variableOf(environ: string | undefined, name: string): string | undefined {
  if (environ === undefined) return undefined;
  const start = `\0${environ}`.indexOf(`\0${name}=`);
  if (start === -1) return undefined;
  const value = environ.slice(start + name.length + 1);
  const end = value.indexOf('\0');
  return end === -1 ? value : value.slice(0, end);
}

/** Root can read the processes of other users too. */
function isOfThisUser(pid: number): boolean {
  try {
    return statSync(`/proc/${pid}`).uid === process.getuid?.();
  } catch {
    return false;
  }
}

/** Returns a digest of the process's cgroups and pid namespace. Empty if the system has none. */
export function readCgroup(pid: number | 'self'): string {
  const groups = createProcReader(maxCgroupSize)(`/proc/${pid}/cgroup`);
  return groups === undefined ? '' : digestOfText(`${groups}${namespaceOf(pid)}`).slice(0, 12);
}

const maxCgroupSize = 8 * 1024;

/** Returns the pid namespace of a process; empty if the system has none. */
export function namespaceOf(pid: number | 'self'): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return '';
  }
}

async function readPosix(): Promise<readonly TaggedProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-E', '-ww', '-o', 'pid=,uid=,command='], {
    maxBuffer: 64 * 1024 * 1024,
    timeout: 10_000,
  });
  return parseTagged(stdout, process.getuid?.());
}

/** Parses tags from `ps` output: pid, user, command line, and behind it the environment. */
export function parseTagged(output: string, user: number | undefined): readonly TaggedProcess[] {
  const pattern = new RegExp(`^\\s*(\\d+)\\s+(\\d+)\\s.*\\s${processTagVariable}=(\\S+)`);
  return output.split('\n').flatMap((line) => {
    const [, pid, owner, text] = pattern.exec(line) ?? [];
    const tags = readTags(text);
    return tags.length > 0 && Number(owner) === user ? [{ pid: Number(pid), runs: tags }] : [];
  });
}
