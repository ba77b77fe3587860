import { randomUUID } from 'node:crypto';
import { lstat, readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hasProcess } from './process-identity.ts';

/** A name beside `file` for the text that is to replace it; says which process makes it. */
export function draftOf(file: string): string {
  return `${file}.patchbay-${process.pid}-${randomUUID().slice(0, 8)}.tmp`;
}

/**
 * Removes the drafts that killed processes left in a folder: those of `files`, or all of them. A draft of a process that
 * lives is left, unless it is far older than any write takes. Never rejects.
 */
export async function removeDrafts(folder: string, files?: readonly string[]): Promise<void> {
  const wanted = files && new Set(files.map((file) => basename(file)));
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const [, file = '', pid] = draftName.exec(name) ?? earlierDraftName.exec(name) ?? [];
    if (file === '' || wanted?.has(file) === false) continue;
    await removeLeft(join(folder, name), pid === undefined ? undefined : Number(pid)).catch(() => undefined);
  }
}

const draftName = /^(.+)\.patchbay-(\d{1,10})-[0-9a-f]{8}\.tmp(?:-wal|-shm)?$/;
/** Names no process: earlier versions made them so. */
const earlierDraftName = /^([\w-]+(?:\.\w+)*)\.[0-9a-f]{8}\.tmp$/;

async function removeLeft(draft: string, pid: number | undefined): Promise<void> {
  const info = await lstat(draft);
  if (!info.isFile() || info.uid !== (process.getuid?.() ?? info.uid)) return;
  const age = Date.now() - info.mtimeMs;
  if (age > longestWrite || (pid !== undefined && !mayBeWriting(pid, age))) await rm(draft, { force: true });
}

/** In a container each hub has the process id of the one before. */
function mayBeWriting(pid: number, age: number): boolean {
  if (pid === process.pid) return age < process.uptime() * 1_000;
  return hasProcess(pid);
}

/** Milliseconds. */
const longestWrite = 10 * 60_000;
